export * from './generated/index.js';
export * from './credentials.js';
export * from './errors.js';
export * from './firstcome.js';
