package io.firstcome.bootstrap.load;

/**
 * Who sends a request, to share among all what is scarce.
 *
 * @param type what the id is of
 * @param id of the user or the shop, or the address
 */
record Requester(Type type, String id) {

  /** What requesters are. */
  enum Type {
    CUSTOMER,
    /** Sends the requests of its customers. */
    SHOP,
    OPERATOR,
    /** Of requests that state neither a user nor a shop. Many customers may have the same one. */
    ADDRESS
  }
}
