{{/* Labels that select the pods of a role. Call with (list . "gateway"). */}}
{{- define "tidegate.selector" -}}
app.kubernetes.io/name: tidegate
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "tidegate.labels" -}}
{{ include "tidegate.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end }}

{{- define "tidegate.image" -}}
{{ required "Set image.repository" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The pod of a role, from `metadata` of the template. Call with (list . "gateway"). */}}
{{- define "tidegate.pod" -}}
{{- $ := index . 0 }}
{{- $role := index . 1 }}
{{- $values := index $.Values $role }}
metadata:
  labels:
    {{- include "tidegate.labels" . | nindent 4 }}
  annotations:
    checksum/settings: {{ include "tidegate.settings" $ | sha256sum }}
    prometheus.io/scrape: 'true'
    prometheus.io/port: '3000'
spec:
  # Longer than the drain: the last requests are settled after it.
  terminationGracePeriodSeconds: {{ add $.Values.drainSeconds 30 }}
  {{- include "tidegate.podSecurity" $ | nindent 2 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "tidegate.selector" . | nindent 10 }}
  containers:
    - name: tidegate
      args: [start, --role, {{ $role }}]
      {{- include "tidegate.container" (list $ $values.resources) | nindent 6 }}
      {{- with $values.processes }}
      env:
        - name: TIDEGATE_PROCESSES
          value: {{ . | quote }}
      {{- end }}
      envFrom:
        - configMapRef:
            name: {{ $.Release.Name }}
        - secretRef:
            name: {{ $.Values.secret }}
      ports:
        - name: http
          containerPort: 3000
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 2
        failureThreshold: 90
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 2
      volumeMounts:
        - name: journal
          mountPath: /var/lib/tidegate
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq $role "control" }}
    - name: journal # control has none
      emptyDir: {}
    {{- end }}
{{- end }}

{{- define "tidegate.podSecurity" -}}
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{/* Call with (list . resources). */}}
{{- define "tidegate.container" -}}
image: {{ include "tidegate.image" (index . 0) | quote }}
imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
resources:
  {{- toYaml (index . 1) | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* Settings of every process. Secrets are in the secret. */}}
{{- define "tidegate.settings" -}}
{{- if .Values.ingress.enabled }}
# With trusted proxies, a stopping process also waits for the controller.
TIDEGATE_TRUSTED_PROXIES: {{ required "Set ingress.controller.addresses" .Values.ingress.controller.addresses | quote }}
{{- end }}
TIDEGATE_DRAIN_SECONDS: {{ .Values.drainSeconds | quote }}
{{- if .Values.migration.enabled }}
TIDEGATE_MIGRATE: 'off'
{{- end }}
{{- if .Values.clickhouse.enabled }}
TIDEGATE_LOG_OUTBOX_MB: {{ .Values.clickhouse.outboxMegabytes | quote }}
TIDEGATE_LOG_OUTBOX_FULL: {{ .Values.clickhouse.whenFull | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
