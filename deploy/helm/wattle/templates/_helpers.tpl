{{- define "wattle.name" -}}
{{- if contains "wattle" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-wattle" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "wattle.selector" -}}
app.kubernetes.io/name: wattle
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "wattle.labels" -}}
{{ include "wattle.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "wattle-%s" .Chart.Version | replace "+" "_" | trunc 63 }}
{{- end }}

{{- define "wattle.secret" -}}
{{ .Values.secrets.existingSecret | default (include "wattle.name" .) }}
{{- end }}

{{- define "wattle.check" -}}
{{- $v := .Values }}
{{- if and (gt (int $v.replicas) 1) (not $v.database.existingSecret) }}
{{- fail "replicas: more than one needs PostgreSQL. Set database.existingSecret, or replicas to 1." }}
{{- end }}
{{- if and (gt (int $v.replicas) 1) (not $v.secrets.existingSecret) (not (get $v.secrets.values "WATTLE_IDENTITY_KEY")) }}
{{- fail "secrets: several replicas need the same WATTLE_IDENTITY_KEY. Set secrets.existingSecret." }}
{{- end }}
{{- if and (not $v.database.existingSecret) (not $v.persistence.enabled) }}
{{- fail "persistence: without PostgreSQL all data is on the volume. Set persistence.enabled to true, or database.existingSecret." }}
{{- end }}
{{- if and $v.persistence.enabled (gt (int $v.replicas) 1) }}
{{- fail "persistence: several replicas have no volume in common. Set persistence.enabled to false: with PostgreSQL nothing on it must be kept." }}
{{- end }}
{{- if and $v.secrets.existingSecret $v.secrets.values }}
{{- fail "secrets: set existingSecret or values, not both." }}
{{- end }}
{{- $sources := list }}
{{- with $v.labels.existingClaim }}{{ $sources = append $sources . }}{{ end }}
{{- with $v.labels.configMaps }}{{ $sources = append $sources . }}{{ end }}
{{- with $v.labels.image }}{{ $sources = append $sources . }}{{ end }}
{{- if ne (len $sources) 1 }}
{{- fail "labels: set one of existingClaim, configMaps and image." }}
{{- end }}
{{- end }}
