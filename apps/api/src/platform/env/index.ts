export { type Env, EnvError, readEnv, siteUrlOf } from './env.ts';
