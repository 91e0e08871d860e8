package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wattle-portal/wattle/core/internal/http/assets"
	"github.com/wattle-portal/wattle/core/internal/labels/label"
	"github.com/wattle-portal/wattle/core/internal/labels/mail"
	"github.com/wattle-portal/wattle/core/internal/operate/cli"
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

func labelsCommand() *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{Use: "labels", Short: "Manage labels"}
	c.Only(cmd.PersistentFlags(), append([]string{"labels"}, pluginFlags...)...)
	cmd.AddCommand(labelsList(&c), labelsVet(&c), labelsNew(&c), labelsDiff(&c), labelsRetire(&c))
	return cmd
}

func labelsList(c *config.Config) *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the labels",
		Long:    "Print the labels in the folder of the labels with their hosts and modules. Report those that are broken on standard error, and exit with status 1.",
		Example: "  wattle labels list --labels /etc/wattle/labels",
		RunE: func(cmd *cobra.Command, _ []string) error {
			available, err := availableModules(cmd, c)
			if err != nil {
				return err
			}
			labels, problems, err := label.List(c.Labels, append(available.fragments, label.Fragment{Demo: true})) // allows settings for demos
			if err != nil {
				return err
			}
			err = cli.Print(cmd, *asJSON, labels, func(out io.Writer) {
				lines := [][]any{{"LABEL", "NAME", "KIND", "HOSTS", "MODULES"}}
				for _, l := range labels {
					var hosts []string
					for _, h := range l.Hosts {
						hosts = append(hosts, h.Name)
					}
					lines = append(lines, []any{l.Key, l.Name, l.Kind, strings.Join(hosts, " "), strings.Join(l.Modules, " ")})
				}
				cli.Table(out, lines)
			})
			if err != nil {
				return err
			}
			return printProblems(cmd.ErrOrStderr(), problems)
		},
	}
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

func labelsVet(c *config.Config) *cobra.Command {
	isDemo := false
	var asJSON *bool
	cmd := &cobra.Command{
		Use:   "vet [LABEL…]",
		Short: "Check labels for mistakes",
		Long: "Check all labels, or those that are named, and print each mistake with file, line and column. The exit status is 1 if a label is broken; a " +
			"running portal then serves its last good version.",
		Example: "  wattle labels vet\n  wattle labels vet acme --labels /etc/wattle/labels",
		RunE: func(cmd *cobra.Command, keys []string) error {
			problems, offer, err := vetLabels(cmd, c, isDemo, keys...)
			if err != nil {
				return err
			}
			switch {
			case offer == nil:
				fmt.Fprintln(cmd.ErrOrStderr(), "texts, items of slots and of the menu were not checked: this program was built without its front end")
			case len(offer.WithoutTexts) > 0:
				fmt.Fprintf(cmd.ErrOrStderr(), "texts of %s were not checked: the plugin came without messages.json\n",
					strings.Join(offer.WithoutTexts, ", "))
			}
			if !*asJSON {
				return printProblems(cmd.OutOrStdout(), problems)
			}
			if err := cli.Print(cmd, true, append([]label.Problem{}, problems...), nil); err != nil {
				return err
			}
			return printProblems(io.Discard, problems)
		},
	}
	asJSON = cli.JSONFlag(cmd)
	cmd.Flags().BoolVar(&isDemo, "demo", false, "accept settings of demos, such as sandbox payments")
	return cmd
}

// vetLabels checks labels with the modules and plugins of an installation. offer is nil when this program was built without a front end.
func vetLabels(cmd *cobra.Command, c *config.Config, isDemo bool, keys ...string) (problems []label.Problem, offer *assets.Offer,
	err error) {
	available, err := availableModules(cmd, c)
	if err != nil {
		return nil, nil, err
	}
	offer, err = assets.Offered(available.remotes)
	if err != nil {
		return nil, nil, err
	}
	var face *label.FrontEnd
	if offer != nil {
		face = &label.FrontEnd{Texts: offer.Texts, Slots: offer.Slots, Menu: map[label.Kind][]string{}, MenuItems: map[label.Kind][]string{},
			WithoutTexts: offer.WithoutTexts,
			Paths:        offer.Paths, UsedSlots: offer.UsedSlots, UsedGroups: offer.UsedGroups, MenuGroups: offer.MenuGroups, Routes: offer.Routes,
			Overlays: offer.Overlays}
		addMailTexts(face, available)
		for kind, items := range offer.Menu {
			face.Menu[label.Kind(kind)] = items
		}
		for kind, items := range offer.MenuItems {
			face.MenuItems[label.Kind(kind)] = items
		}
		for i, f := range available.fragments {
			available.fragments[i].Slots = offer.Offers[f.Module]
			if _, faced := offer.Offers[f.Module]; !faced && !f.Absent { // a module without a remote
				available.fragments[i].Slots = []string{}
			}
			face.Offers = append(face.Offers, offer.Offers[f.Module]...)
		}
	}
	if isDemo {
		available.fragments = append(available.fragments, label.Fragment{Demo: true})
	}
	problems, err = label.Vet(c.Labels, available.fragments, face, keys...)
	return problems, offer, err
}

// addMailTexts adds the email texts of core and of this program's modules. A plugin does not describe its texts.
func addMailTexts(face *label.FrontEnd, a available) {
	all := []module.Texts{mail.Texts}
	for _, m := range a.manifests {
		all = append(all, m.Texts)
	}
	for _, texts := range all {
		for locale, t := range texts {
			if face.Texts[locale] == nil {
				face.Texts[locale] = map[string]string{}
			}
			maps.Copy(face.Texts[locale], t)
		}
	}
	face.WithoutMails = a.plugins
}

func labelsNew(c *config.Config) *cobra.Command {
	s, kind := label.Sketch{}, ""
	cmd := &cobra.Command{
		Use:   "new LABEL",
		Short: "Create a label",
		Long: "Create the folder LABEL with a label.cue that `wattle labels vet` accepts, and print the paths of its files. LABEL is the key of the label: lower " +
			"case letters, digits and hyphens.",
		Example: "  wattle labels new acme --name \"Acme Energie\" --host my.acme.example",
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Key, s.Kind = args[0], label.Kind(kind)
			available, err := availableModules(cmd, c)
			if err != nil {
				return err
			}
			files, err := label.New(c.Labels, s, available.fragments)
			for _, f := range files {
				fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(c.Labels, f))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&s.Name, "name", "", "name of the company; if empty, the key")
	cmd.Flags().StringVar(&s.Color, "color", "#0b6e99", "primary color")
	cmd.Flags().StringVar(&s.Host, "host", "", "live host name; if empty, the label has only LABEL.localhost")
	cmd.Flags().StringVar(&kind, "kind", string(label.KindCustomer), "kind of portal: customer (begins at the dashboard) or participant (begins at the account page)")
	return cmd
}

func labelsDiff(c *config.Config) *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use:     "diff A B",
		Short:   "Compare two labels",
		Long:    "Print each setting that differs between two labels. A and B are keys, or paths of label folders.",
		Example: "  wattle labels diff acme other\n  wattle labels diff acme /backups/labels/acme",
		RunE: func(cmd *cobra.Command, args []string) error {
			dirA, keyA := parseLabel(c.Labels, args[0])
			dirB, keyB := parseLabel(c.Labels, args[1])
			available, err := availableModules(cmd, c)
			if err != nil {
				return err
			}
			differences, err := label.Diff(dirA, keyA, dirB, keyB, append(available.fragments, label.Fragment{Demo: true}))
			if err != nil {
				return err
			}
			return cli.Print(cmd, *asJSON, append([]label.Difference{}, differences...), func(out io.Writer) {
				lines := [][]any{{"SETTING", args[0], args[1]}}
				for _, d := range differences {
					lines = append(lines, []any{d.Path, cell(d.A), cell(d.B)})
				}
				cli.Table(out, lines)
			})
		},
	}
	asJSON = cli.JSONFlag(cmd)
	return cmd
}

// labelsRetire returns the command that stops serving a label. Deleting the label's folder does not stop it (9-label-retire).
func labelsRetire(c *config.Config) *cobra.Command {
	undo := false
	cmd := &cobra.Command{
		Use:   "retire LABEL",
		Short: "Take a label offline",
		Long: "Stop serving a label on every replica within a few seconds, with or without its folder, and free its hosts. Its records stay. Deleting the " +
			"folder of a label does not take it offline: its last good version is served.",
		Example: "  wattle labels retire acme\n  wattle labels retire --undo acme",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			key := args[0]
			a, done, err := openCore(cmd, c)
			if err != nil {
				return err
			}
			defer func() { done(&err) }()
			retired, err := a.Archive.Retired(cmd.Context())
			switch {
			case err != nil:
				return err
			case undo && !retired[key]:
				return fmt.Errorf("label %s is not retired", key)
			case undo:
				if _, err := a.Archive.Return(cmd.Context(), key); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Label %s is served again within a few seconds: from its folder, or in its last good version.\n", key)
				return nil
			case a.Labels.ByKey(key) == nil && !retired[key]:
				_, err := labelOf(a, key)
				return err
			}
			if err := a.Archive.Retire(cmd.Context(), key); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Label %s goes offline on every replica within a few seconds. Its records stay. Remove its folder, or undo this:\n"+
				"wattle labels retire --undo %s\n", key, key)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&undo, "undo", false, "serve a retired label again")
	return cmd
}

// parseLabel parses an argument that is a label key or the path of a label folder.
func parseLabel(labels, arg string) (dir, key string) {
	if strings.ContainsRune(arg, filepath.Separator) {
		return filepath.Split(filepath.Clean(arg))
	}
	return labels, arg
}

func cell(v any) any {
	if v == nil {
		return "-"
	}
	return v
}

// printProblems prints problems, one per line. It returns exit status 1 when a label is broken.
func printProblems(out io.Writer, problems []label.Problem) error {
	for _, p := range problems {
		fmt.Fprintln(out, p)
	}
	if slices.ContainsFunc(problems, func(p label.Problem) bool { return p.State != label.StateMoved }) { // the label is served as written
		return exitStatus(1)
	}
	return nil
}
