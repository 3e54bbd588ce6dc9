export { type AuthSecrets, type Env, EnvError, readEnv, siteUrlOf } from './env.ts';
