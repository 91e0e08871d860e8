package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	helm "helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

func TestCompose(t *testing.T) {
	t.Run("11-release-compose", func(t *testing.T) {
		r := fixture(t, nil)
		require.NoError(t, r.deployments())
		p, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
			WorkingDir: r.out, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(r.out, "compose.yaml")}}, Environment: types.Mapping{},
		})
		require.NoError(t, err)
		portal, err := p.GetService("portal")
		require.NoError(t, err)
		db, err := p.GetService("db")
		require.NoError(t, err)
		require.Equal(t, "wattle:1.2.3-dev.h0123-amd64", portal.Image)
		require.True(t, portal.ReadOnly)
		require.Equal(t, []string{"ALL"}, portal.CapDrop)
		require.Empty(t, portal.CapAdd)
		require.Equal(t, "service_healthy", portal.DependsOn["db"].Condition)
		require.Equal(t, "127.0.0.1", portal.Ports[0].HostIP, "TLS is in front")
		require.Equal(t, types.HealthCheckTest{"CMD", "/usr/bin/wattle", "ready"}, portal.HealthCheck.Test)
		require.Contains(t, db.HealthCheck.Test, "pg_isready")
		require.Regexp(t, `^docker\.io/library/postgres:\d+$`, db.Image)
		for service, secrets := range map[string][]types.ServiceSecretConfig{"portal": portal.Secrets, "db": db.Secrets} {
			require.NotEmpty(t, secrets, service)
			for _, s := range secrets {
				require.NotEmpty(t, p.Secrets[s.Source].File, s.Source)
			}
		}
		config, err := pgx.ParseConfig(strings.Replace(*portal.Environment["WATTLE_DATABASE"], "/run/secrets/database", passwordFile(t), 1))
		require.NoError(t, err)
		require.Equal(t, "a secret", config.Password)
		require.Equal(t, *db.Environment["POSTGRES_USER"], config.User)
		require.Equal(t, *db.Environment["POSTGRES_DB"], config.Database)
		for _, s := range p.Services {
			for name, value := range s.Environment {
				require.False(t, strings.Contains(name, "PASSWORD") && !strings.HasSuffix(name, "_FILE"), name)
				require.NotRegexp(t, `://[^/@]*:[^/@]*@`, *value, "the password of an address comes from a file")
			}
		}
	})
}

// passwordFile writes a file as docs/install.md does and returns its path.
func passwordFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "database")
	require.NoError(t, os.WriteFile(file, []byte("db:5432:wattle:wattle:a secret"), 0o600))
	return file
}

// render renders the chart of the release as `helm template` does, including the check against values.schema.json.
func render(t *testing.T, values string) (map[string]string, error) {
	t.Helper()
	r := fixture(t, nil)
	require.NoError(t, r.deployments())
	chart, err := helm.LoadFile(filepath.Join(r.out, "wattle-"+r.version+".tgz"))
	require.NoError(t, err)
	require.NoError(t, chart.Validate())
	require.Equal(t, r.version, chart.Metadata.AppVersion)
	var set map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(values), &set))
	all, err := util.ToRenderValues(chart, set, common.ReleaseOptions{Name: "portal", Namespace: "energy", IsInstall: true},
		common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(chart, all)
}

// objects are the objects that the chart renders. Unknown fields are errors.
type objects struct {
	deployment apps.Deployment
	services   []core.Service
	ingress    *networking.Ingress
	config     core.ConfigMap
	secret     *core.Secret
	claim      *core.PersistentVolumeClaim
	budget     *policy.PodDisruptionBudget
	network    *networking.NetworkPolicy
}

func decode(t *testing.T, values string) objects {
	t.Helper()
	rendered, err := render(t, values)
	require.NoError(t, err)
	var o objects
	for name, text := range rendered {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		for one := range strings.SplitSeq(text, "\n---\n") {
			var kind struct{ APIVersion, Kind string }
			require.NoError(t, yaml.Unmarshal([]byte(one), &kind), name)
			strict := func(v any) { require.NoError(t, yaml.UnmarshalStrict([]byte(one), v), one) }
			switch kind.APIVersion + " " + kind.Kind {
			case "apps/v1 Deployment":
				strict(&o.deployment)
			case "v1 Service":
				o.services = append(o.services, core.Service{})
				strict(&o.services[len(o.services)-1])
			case "networking.k8s.io/v1 Ingress":
				o.ingress = &networking.Ingress{}
				strict(o.ingress)
			case "v1 ConfigMap":
				strict(&o.config)
			case "v1 Secret":
				o.secret = &core.Secret{}
				strict(o.secret)
			case "v1 PersistentVolumeClaim":
				o.claim = &core.PersistentVolumeClaim{}
				strict(o.claim)
			case "policy/v1 PodDisruptionBudget":
				o.budget = &policy.PodDisruptionBudget{}
				strict(o.budget)
			case "networking.k8s.io/v1 NetworkPolicy":
				o.network = &networking.NetworkPolicy{}
				strict(o.network)
			default:
				require.Empty(t, strings.TrimSpace(one), name)
			}
		}
	}
	return o
}

const onPostgres = `
database: {existingSecret: db}
secrets: {existingSecret: portal-secrets}
labels: {existingClaim: labels}
settings: {WATTLE_SMTP: "smtp://mail.example.org:587"}
ingress: {enabled: true, className: nginx, hosts: [my.example.org, other.example.org], tlsSecret: certificate}
`

const onSQLite = `
replicas: 1
persistence: {enabled: true, size: 20Gi}
secrets: {values: {MOLLIE: "test"}}
labels: {configMaps: {"2001": label-2001}}
`

func TestChart(t *testing.T) {
	t.Run("11-release-helm", func(t *testing.T) {
		o := decode(t, onPostgres)
		pod := o.deployment.Spec.Template
		portal := pod.Spec.Containers[0]
		require.EqualValues(t, 2, *o.deployment.Spec.Replicas)
		require.Equal(t, "wattle:1.2.3-dev.h0123", portal.Image)
		require.Equal(t, "/healthz", portal.LivenessProbe.HTTPGet.Path)
		require.Equal(t, "/readyz", portal.ReadinessProbe.HTTPGet.Path)
		require.Equal(t, "WATTLE_DATABASE", portal.Env[0].Name)
		require.Equal(t, "db", portal.Env[0].ValueFrom.SecretKeyRef.Name)
		require.Equal(t, "portal-secrets", portal.EnvFrom[1].SecretRef.Name)
		require.Equal(t, o.config.Name, portal.EnvFrom[0].ConfigMapRef.Name)
		require.Equal(t, "smtp://mail.example.org:587", o.config.Data["WATTLE_SMTP"])
		for _, s := range o.services {
			require.Equal(t, o.deployment.Spec.Selector.MatchLabels, s.Spec.Selector)
			for name, value := range s.Spec.Selector {
				require.Equal(t, value, pod.Labels[name])
			}
		}
		require.Len(t, o.services, 2)
		require.Len(t, o.ingress.Spec.Rules, 2)
		require.Equal(t, []string{"my.example.org", "other.example.org"}, o.ingress.Spec.TLS[0].Hosts)
		require.Equal(t, o.services[0].Name, o.ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service.Name)
		require.EqualValues(t, 1, o.budget.Spec.MaxUnavailable.IntValue())
		require.Equal(t, o.deployment.Spec.Selector.MatchLabels, o.network.Spec.PodSelector.MatchLabels)
		require.Len(t, o.network.Spec.Ingress, 2)
		require.Equal(t, o.deployment.Spec.Selector.MatchLabels, o.budget.Spec.Selector.MatchLabels)
		require.Nil(t, o.secret)
		require.Nil(t, o.claim)
		restricted(t, pod.Spec)

		small := decode(t, onSQLite)
		require.EqualValues(t, 1, *small.deployment.Spec.Replicas)
		require.Equal(t, apps.RecreateDeploymentStrategyType, small.deployment.Spec.Strategy.Type)
		require.Empty(t, small.deployment.Spec.Template.Spec.Containers[0].Env)
		require.Equal(t, map[string]string{"MOLLIE": "test"}, small.secret.StringData)
		require.Equal(t, "20Gi", small.claim.Spec.Resources.Requests.Storage().String())
		require.Equal(t, "keep", small.claim.Annotations["helm.sh/resource-policy"])
		require.Equal(t, "/etc/wattle/labels/2001", mount(small.deployment, "label-2001"))
		require.Equal(t, "/var/lib/wattle", mount(small.deployment, "data"))
		require.Nil(t, small.budget, "a budget for one replica would stop every drain of its node")
		require.Nil(t, small.ingress)
		restricted(t, small.deployment.Spec.Template.Spec)

		copied := decode(t, strings.Replace(onPostgres, "existingClaim: labels", "image: registry.example.org/labels:7", 1))
		require.Equal(t, "registry.example.org/labels:7", copied.deployment.Spec.Template.Spec.InitContainers[0].Image)
		restricted(t, copied.deployment.Spec.Template.Spec)
	})
	t.Run("11-release-helm-refused", func(t *testing.T) {
		_, err := render(t, onPostgres)
		require.NoError(t, err)
		for wrong, says := range map[string]string{
			onPostgres + "replica: 3\n": "replica",
			strings.Replace(onPostgres, "existingSecret: db", "existingSecrets: db", 1):               "existingSecrets",
			strings.Replace(onPostgres, "hosts: [my.example.org, other.example.org]", "hosts: []", 1): "minItems",
			strings.Replace(onPostgres, "database: {existingSecret: db}", "", 1):                      "more than one needs PostgreSQL",
			strings.Replace(onPostgres, "secrets: {existingSecret: portal-secrets}", "", 1):           "WATTLE_IDENTITY_KEY",
			strings.Replace(onPostgres, "labels: {existingClaim: labels}", "",
				1): "set one of existingClaim, configMaps and image",
			strings.Replace(onSQLite, "enabled: true", "enabled: false", 1): "all data is on the volume",
			onPostgres + "persistence: {enabled: true}\n":                   "no volume in common",
		} {
			_, err := render(t, wrong)
			require.Error(t, err, wrong)
			require.Contains(t, err.Error(), says)
		}
	})
}

func mount(d apps.Deployment, volume string) string {
	for _, m := range d.Spec.Template.Spec.Containers[0].VolumeMounts {
		if m.Name == volume {
			return m.MountPath
		}
	}
	return ""
}

// restricted checks the requirements of Kubernetes for pods in namespaces with the standard "restricted"
// (https://kubernetes.io/docs/concepts/security/pod-security-standards/).
func restricted(t *testing.T, pod core.PodSpec) {
	t.Helper()
	of := pod.SecurityContext
	require.True(t, *of.RunAsNonRoot)
	require.Equal(t, &core.SeccompProfile{Type: core.SeccompProfileTypeRuntimeDefault}, of.SeccompProfile)
	require.Empty(t, of.Sysctls)
	require.NotEqual(t, int64(0), nonRoot(of.RunAsUser))
	require.Nil(t, of.SELinuxOptions)
	require.Nil(t, of.AppArmorProfile, "that of the runtime")
	require.Nil(t, of.WindowsOptions)
	require.False(t, *pod.AutomountServiceAccountToken)
	require.False(t, pod.HostNetwork || pod.HostPID || pod.HostIPC)
	require.Empty(t, pod.EphemeralContainers)
	for _, c := range append(pod.InitContainers, pod.Containers...) {
		of := c.SecurityContext
		require.False(t, *of.AllowPrivilegeEscalation, c.Name)
		require.True(t, *of.ReadOnlyRootFilesystem, c.Name)
		require.Equal(t, []core.Capability{"ALL"}, of.Capabilities.Drop, c.Name)
		require.Empty(t, of.Capabilities.Add, c.Name)
		require.False(t, of.Privileged != nil && *of.Privileged, c.Name)
		require.True(t, of.RunAsNonRoot == nil || *of.RunAsNonRoot, c.Name)
		require.NotEqual(t, int64(0), nonRoot(of.RunAsUser), c.Name)
		require.Nil(t, of.SeccompProfile, "%s: that of the pod", c.Name)
		require.Nil(t, of.ProcMount, c.Name)
		require.Nil(t, of.SELinuxOptions, c.Name)
		require.Nil(t, of.AppArmorProfile, c.Name)
		require.Nil(t, of.WindowsOptions, c.Name)
		for _, port := range c.Ports {
			require.Zero(t, port.HostPort, c.Name)
		}
	}
	for _, v := range pod.Volumes {
		of := v.VolumeSource
		of.ConfigMap, of.CSI, of.DownwardAPI, of.EmptyDir, of.Ephemeral, of.PersistentVolumeClaim, of.Projected, of.Secret =
			nil, nil, nil, nil, nil, nil, nil, nil
		require.Zero(t, of, "%s: of no other kind", v.Name)
	}
}

// nonRoot returns a user, or any that is not root if none is named.
func nonRoot(user *int64) int64 {
	if user == nil {
		return -1
	}
	return *user
}

func TestComposeFileNamesTheImageOnce(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(repository, "deploy/compose/compose.yaml"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(raw), composeImage))
}
