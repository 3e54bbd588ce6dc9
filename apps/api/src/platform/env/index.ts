export { type Env, EnvError, envExample, readEnv, variables } from './env.ts';
