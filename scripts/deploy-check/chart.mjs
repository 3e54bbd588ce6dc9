import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stack/places.mjs';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
/** Helm asks no cluster, and built like this it would assume a very old one. */
const KUBERNETES = '1.34.0';
/** A process of the API ends within ten seconds of its signal. */
const API_ENDS_WITHIN_SECONDS = 10;
const HAS_SECRET = /SECRET|PASSPHRASE|CREDENTIAL|^(?:DATABASE|REDIS|SMTP)_URL/u;

const chart = join(root, 'deploy/chart');
const checks = join(root, 'deploy/chart-check');
const read = (file) => readFileSync(join(root, file), 'utf8');
const variables = new Set(
  [...read('docs/operating/configure.md').matchAll(/^\| (?<names>`[^|]+) \|/gmu)].flatMap(
    ({ groups }) => groups.names.match(/[A-Z][A-Z\d_]+/gu),
  ),
);
/** Not ours: the chart fills MEDIA_ADDRESS with them. */
const ofTheNode = ['NODE_NAME', 'NODE_ADDRESS'];

const run = (go, args, input) =>
  spawnSync(go, ['run', ...args], { cwd: checks, input, encoding: 'utf8' });
const helm = (go, command, values, more = []) =>
  run(go, [HELM, ...command, chart, '--kube-version', KUBERNETES, '--values', values, ...more]);

/** Whether the tools can be built: Helm, and our reader of objects. */
export const hasChartTools = (go) =>
  run(go, [HELM, 'version']).status === 0 && run(go, ['.'], '').status === 0;

/** The objects of a chart with these values, read with the types of Kubernetes. */
function render(go, values) {
  const lint = helm(go, ['lint', '--strict'], values);
  assert.equal(lint.status, 0, lint.stdout);
  const rendered = helm(go, ['template', 'study'], values);
  assert.equal(rendered.status, 0, rendered.stderr);
  const { status, stdout, stderr } = run(go, ['.'], rendered.stdout);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const kindsOf = (objects) => objects.map(({ kind }) => kind).sort();
const only = (objects, kind) => objects.find((object) => object.kind === kind);
const withPods = (objects) => objects.filter(({ spec }) => spec?.template);
const containerOf = ({ spec }) => spec.template.spec.containers[0];
const variableOf = (object, name) =>
  containerOf(object).env.find((entry) => entry.name === name)?.value;

function isContained(object) {
  const { securityContext, automountServiceAccountToken, containers } = object.spec.template.spec;
  assert.deepEqual(
    { ...securityContext, automountServiceAccountToken },
    {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
      automountServiceAccountToken: false,
    },
  );
  assert.equal(containers.length, 1);
  assert.deepEqual(containers[0].securityContext, {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  });
  assert.ok(containers[0].resources.requests);
}

/** Names of variables are ours and there once; a secret is a file that is mounted. */
function hasOurVariables(object) {
  const names = containerOf(object).env.map(({ name }) => name);
  assert.equal(
    new Set(names).size,
    names.length,
    `${object.metadata.name}: a variable is there twice`,
  );
  const unknown = names.filter(
    (name) => !(variables.has(name.replace(/_FILE$/u, '')) || ofTheNode.includes(name)),
  );
  assert.deepEqual(unknown, []);
  const files = names.filter((name) => name.endsWith('_FILE'));
  assert.deepEqual(
    names.filter((name) => HAS_SECRET.test(name) && !files.includes(name)),
    [],
  );
  const { sources } = object.spec.template.spec.volumes.find(
    ({ name }) => name === 'secrets',
  ).projected;
  const mounted = sources.map(({ secret }) => `/run/secrets/${secret.items[0].path}`);
  assert.deepEqual(mounted.sort(), files.map((name) => variableOf(object, name)).sort());
}

/** What Kubernetes would find out only while it runs: selectors, names of ports, commands of the image. */
function fitsTogether(objects) {
  const pods = withPods(objects).map((object) => ({
    labels: object.spec.template.metadata.labels,
    ports: (containerOf(object).ports ?? []).map(({ name }) => name),
  }));
  const selected = (labels) =>
    pods.find((pod) => Object.entries(labels).every(([name, value]) => pod.labels[name] === value));
  for (const { kind, spec, metadata } of objects) {
    const labels =
      kind === 'Service' ? spec.selector : (spec.selector ?? spec.podSelector)?.matchLabels;
    if (labels === undefined) continue;
    const pod = selected(labels);
    assert.ok(pod, `${kind} ${metadata.name} selects no pod`);
    if (kind !== 'Service') continue;
    for (const { targetPort } of spec.ports) assert.ok(pod.ports.includes(targetPort), targetPort);
  }
  for (const object of withPods(objects)) {
    const { args, ports, livenessProbe, readinessProbe, startupProbe } = containerOf(object);
    assert.match(
      read('deploy/entrypoint.sh'),
      new RegExp(`^  (?:.* )?${args[0]}(?: .*)?\\) exec`, 'mu'),
    );
    for (const probe of [livenessProbe, readinessProbe, startupProbe].filter(Boolean)) {
      const { port } = probe.httpGet ?? probe.tcpSocket;
      assert.ok(ports.some(({ name }) => name === port));
    }
  }
}

/** The API: alive is not ready, and the end leaves time for what has begun. */
function drains(deployment) {
  const { livenessProbe, startupProbe, readinessProbe, lifecycle } = containerOf(deployment);
  assert.deepEqual(
    [livenessProbe, startupProbe, readinessProbe].map(({ httpGet }) => httpGet.path),
    ['/livez', '/livez', '/readyz'],
  );
  const pauseSeconds = Number(lifecycle.preStop.exec.command[1]);
  const { terminationGracePeriodSeconds } = deployment.spec.template.spec;
  assert.ok(pauseSeconds > 0);
  assert.ok(terminationGracePeriodSeconds > pauseSeconds + API_ENDS_WITHIN_SECONDS);
  assert.equal(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
}

function checkEach(objects) {
  for (const object of withPods(objects)) {
    isContained(object);
    hasOurVariables(object);
    assert.equal(object.spec.template.spec.hostNetwork ?? false, object.kind === 'StatefulSet');
  }
  fitsTogether(objects);
  drains(only(objects, 'Deployment'));
  assert.equal(only(objects, 'Secret'), undefined);
  assert.match(only(objects, 'Job').metadata.annotations['helm.sh/hook'], /pre-upgrade/u);
}

const ALWAYS = ['Deployment', 'Job', 'PodDisruptionBudget', 'Service'];
const WITH_MEDIA = [...ALWAYS, 'PodDisruptionBudget', 'Service', 'StatefulSet'].sort();
const SITE = [
  'HorizontalPodAutoscaler',
  'Ingress',
  'NetworkPolicy',
  'PrometheusRule',
  'ServiceMonitor',
];

function checkFull(objects) {
  assert.deepEqual(kindsOf(objects), [...WITH_MEDIA, ...SITE].sort());
  const media = only(objects, 'StatefulSet');
  const { replicas, serviceName } = media.spec;
  const names = Array.from({ length: replicas }, (_, index) => `${media.metadata.name}-${index}`);
  assert.equal(
    variableOf(only(objects, 'Deployment'), 'LIVEKIT_URL'),
    names.map((name) => `http://${name}.${serviceName}:7880`).join(','),
  );
  assert.equal(replicas, 3);
  const [{ rules }] = only(objects, 'PrometheusRule').spec.groups;
  const alerts = [...read('deploy/metrics/alerts.yaml').matchAll(/^ +- alert: (\w+)$/gmu)];
  assert.deepEqual(
    rules.map(({ alert }) => alert),
    alerts.map(([, name]) => name),
  );
  const [, connections] = only(objects, 'HorizontalPodAutoscaler').spec.metrics;
  assert.ok(read('docs/operating/metrics.md').includes(`| \`${connections.pods.metric.name}\` |`));
  assert.equal(only(objects, 'Deployment').spec.replicas, undefined);
}

/** Values that the API would refuse, or that would lose something, and a word of the reason. */
const REFUSED = [
  ['api.replicas=2', 'REDIS_URL'],
  ['existingClaim=', 'Pictures and backups need a place'],
  ['env.AUTH_SECRET=x', 'AUTH_SECRET'],
  ['env.SMTP_URL=smtp://x', 'SMTP_URL'],
  ['api.replica=1', 'replica'],
  ['publicUrl=study.example.org', 'publicUrl'],
  ['image=', 'image'],
  [
    'api.autoscaling.enabled=true,api.autoscaling.connections=9,secrets.REDIS_URL.name=a,secrets.REDIS_URL.key=b',
    'metrics',
  ],
];

/** Checks deploy/chart with three sets of values. @throws AssertionError. */
export function checkChart(go) {
  const sets = ['minimal', 'full', 'no-media'].map((name) => join(checks, `${name}.yaml`));
  const [minimal, full, noMedia] = sets.map((values) => render(go, values));
  for (const objects of [minimal, full, noMedia]) checkEach(objects);
  assert.deepEqual(kindsOf(minimal), WITH_MEDIA);
  checkFull(full);
  assert.deepEqual(kindsOf(noMedia), ALWAYS);
  assert.equal(variableOf(only(noMedia, 'Deployment'), 'LIVEKIT_URL'), undefined);
  for (const [setting, word] of REFUSED) {
    const { status, stderr } = helm(go, ['template', 'study'], sets[0], ['--set', setting]);
    assert.equal(status, 1, `${setting} is not refused`);
    assert.ok(stderr.includes(word), stderr);
  }
  const { version } = JSON.parse(read('package.json'));
  for (const name of ['version', 'appVersion']) {
    assert.match(read('deploy/chart/Chart.yaml'), new RegExp(`^${name}: ${version}$`, 'mu'));
  }
}
