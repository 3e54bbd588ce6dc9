import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { SecondFactorService } from './second-factor.service.ts';

export function serveSecondFactor(http: HttpServer, secondFactor: SecondFactorService): void {
  http.serve(getSecondFactor, ({ caller }) => secondFactor.getStatus(caller.userId));

  http.serve(beginSecondFactor, ({ caller }) => secondFactor.begin(caller.userId));

  http.serve(confirmSecondFactor, async ({ caller, body, request }) => ({
    recoveryCodes: await secondFactor.confirm(caller, body.code, request.ip),
  }));

  http.serve(renewRecoveryCodes, async ({ caller }) => ({
    recoveryCodes: await secondFactor.renewRecoveryCodes(caller.userId),
  }));

  http.serve(turnOffSecondFactor, ({ caller }) => secondFactor.turnOff(caller.userId));
}
