export { openTcpGuard } from './tcp-guard.ts';
