export { type AuthSecrets, type Env, EnvError, readEnv, siteUrlOf, typedPath } from './env.ts';
