/** The headers that say who calls; asked for each request, so that an expiring token can be replaced. */
export type Credentials = () => Record<string, string> | Promise<Record<string, string>>;

/** Credentials with a token of an issuer that the service trusts. */
export function token(current: () => string | Promise<string>): Credentials {
  return async () => ({ Authorization: `Bearer ${await current()}` });
}

/** The caller whom a gateway has authenticated. */
export interface Caller {
  /** The customer, the operator, or the employee of the shop. */
  user?: string;
  /** The shop, which needs the scope `coupon:redeem`. */
  shop?: string;
  scopes?: string[];
}

/** Credentials of a gateway that the service trusts. Its secret must not get into a browser. */
export function gateway(secret: string, caller: Caller = {}): Credentials {
  const headers: Record<string, string> = { 'X-Gateway-Secret': secret };
  if (caller.user !== undefined) {
    headers['X-User-Id'] = caller.user;
  }
  if (caller.shop !== undefined) {
    headers['X-Shop-Id'] = caller.shop;
  }
  if (caller.scopes !== undefined) {
    headers['X-Scopes'] = caller.scopes.join(' ');
  }
  return () => headers;
}
