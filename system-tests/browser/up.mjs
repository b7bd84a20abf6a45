/** The servers of a running `./firstcome up` whose folder is FIRSTCOME_HOME, which no other test uses meanwhile. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const launcher = fileURLToPath(new URL('../../firstcome', import.meta.url));
const run = promisify(execFile);
const services = () => JSON.parse(readFileSync(join(process.env.FIRSTCOME_HOME, 'services.json'), 'utf8'));

export const serviceUrl = () => services().service.url;

export function killRedis() {
  process.kill(services().redis.pid, 'SIGKILL');
}

export async function restartRedis() {
  await run(launcher, ['restart', 'redis']);
}
