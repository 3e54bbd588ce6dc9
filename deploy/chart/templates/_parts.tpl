{{- define "selector" -}}
app.kubernetes.io/name: mogakgong
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* What the API cannot run with, which it would say in its log alone. */}}
{{- define "check" -}}
{{- $several := or .Values.api.autoscaling.enabled (gt (int .Values.api.replicas) 1) }}
{{- if and $several (not .Values.secrets.REDIS_URL) }}
{{- fail "More than one pod of the API needs secrets.REDIS_URL." }}
{{- end }}
{{- if and .Values.secrets.REDIS_URL (eq (int .Values.media.replicas) 0) (not .Values.env.LIVEKIT_URL) }}
{{- fail "secrets.REDIS_URL needs media servers: media.replicas or env.LIVEKIT_URL." }}
{{- end }}
{{- if and (not .Values.existingClaim) (not (and .Values.env.S3_ENDPOINT .Values.env.BACKUP_TO)) }}
{{- fail "Pictures and backups need a place: existingClaim, or S3 with env.S3_ENDPOINT and env.BACKUP_TO." }}
{{- end }}
{{- if and .Values.api.autoscaling.enabled .Values.api.autoscaling.connections (not .Values.metrics.enabled) }}
{{- fail "api.autoscaling.connections needs metrics.enabled." }}
{{- end }}
{{- end }}

{{/* The API reaches each media server by a name of its own. */}}
{{- define "mediaUrls" -}}
{{- $urls := list }}
{{- range until (int .Values.media.replicas) }}
{{- $urls = append $urls (printf "http://%s-media-%d.%s-media:7880" $.Release.Name . $.Release.Name) }}
{{- end }}
{{- join "," $urls }}
{{- end }}

{{/* Variables, then the files of secrets. */}}
{{- define "environment" -}}
{{- range $name, $value := .variables }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $_ := .secrets }}
- name: {{ $name }}_FILE
  value: /run/secrets/{{ $name }}
{{- end }}
{{- end }}

{{/* The environment of the API and of the job. */}}
{{- define "apiEnvironment" -}}
{{- $own := dict "PUBLIC_URL" .Values.publicUrl "TRUST_PROXY" "true" "LIVEKIT_API_KEY" "mogakgong" }}
{{- if gt (int .Values.media.replicas) 0 }}
{{- /* The guard of a media server stands in front of its TCP port. */}}
{{- $own = merge $own (dict "LIVEKIT_URL" (include "mediaUrls" .) "LIVEKIT_TCP_PORTS" "7883:7881") }}
{{- end }}
{{- if .Values.metrics.enabled }}
{{- $own = merge $own (dict "METRICS_PORT" "9464" "METRICS_HOST" "0.0.0.0") }}
{{- end }}
{{- $variables := merge (dict) .Values.env $own }}
{{- include "environment" (dict "variables" $variables "secrets" .Values.secrets) | trim }}
{{- end }}

{{- define "secretVolume" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $secret := . }}
      - secret:
          name: {{ $secret.name }}
          items:
            - key: {{ $secret.key }}
              path: {{ $name }}
      {{- end }}
{{- end }}

{{/* Files of the API and of the job. */}}
{{- define "apiVolumes" -}}
{{ include "secretVolume" .Values.secrets }}
- name: tmp
  emptyDir: {}
- name: data
  {{- if .Values.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.existingClaim }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}

{{- define "mounts" -}}
- name: secrets
  mountPath: /run/secrets
  readOnly: true
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /data
{{- end }}

{{/* Nothing of a pod is root's, and nothing calls Kubernetes. */}}
{{- define "pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "container" -}}
image: {{ .Values.image }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
{{- end }}
