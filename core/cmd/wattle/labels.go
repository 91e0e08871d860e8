package main

import (
	"encoding/json"
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
	"github.com/wattle-portal/wattle/core/internal/operate/config"
	"github.com/wattle-portal/wattle/core/module"
)

func labelsCommand() *cobra.Command {
	c := config.Default()
	cmd := &cobra.Command{Use: "labels", Short: "Manage labels"}
	cmd.PersistentFlags().StringVar(&c.Labels, "labels", c.Labels, "folder of the labels")
	pluginFlags(cmd.PersistentFlags(), &c)
	cmd.AddCommand(labelsList(&c), labelsVet(&c), labelsNew(&c), labelsDiff(&c), labelsRetire(&c))
	return cmd
}

func labelsList(c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the labels",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			available, err := availableModules(cmd, c)
			if err != nil {
				return err
			}
			labels, problems, err := label.List(c.Labels, append(available.fragments, label.Fragment{Demo: true})) // allows settings for demos
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(labels)
			}
			lines := [][]any{{"LABEL", "NAME", "KIND", "HOSTS", "MODULES"}}
			for _, l := range labels {
				var hosts []string
				for _, h := range l.Hosts {
					hosts = append(hosts, h.Name)
				}
				lines = append(lines, []any{l.Key, l.Name, l.Kind, strings.Join(hosts, " "), strings.Join(l.Modules, " ")})
			}
			columns(cmd.OutOrStdout(), lines)
			return printProblems(cmd.ErrOrStderr(), problems)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func labelsVet(c *config.Config) *cobra.Command {
	asJSON, isDemo := false, false
	cmd := &cobra.Command{
		Use:   "vet [LABEL…]",
		Short: "Check labels for mistakes",
		RunE: func(cmd *cobra.Command, keys []string) error {
			problems, offer, err := vetLabels(cmd, c, isDemo, keys...)
			if err != nil {
				return err
			}
			if asJSON {
				if err := json.NewEncoder(cmd.OutOrStdout()).Encode(append([]label.Problem{}, problems...)); err != nil {
					return err
				}
				problems, _ = nil, printProblems(io.Discard, problems)
			}
			switch {
			case offer == nil:
				fmt.Fprintln(cmd.ErrOrStderr(), "texts, items of slots and of the menu were not checked: this program was built without its front end")
			case len(offer.WithoutTexts) > 0:
				fmt.Fprintf(cmd.ErrOrStderr(), "texts of %s were not checked: the plugin came without messages.json\n",
					strings.Join(offer.WithoutTexts, ", "))
			}
			return printProblems(cmd.OutOrStdout(), problems)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&isDemo, "demo", false, "of labels for serve --demo: sandbox payments are fine")
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
		Args:  cobra.ExactArgs(1),
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
	cmd.Flags().StringVar(&s.Name, "name", "", "name of the company; the key without it")
	cmd.Flags().StringVar(&s.Color, "color", "#0b6e99", "primary colour")
	cmd.Flags().StringVar(&s.Host, "host", "", "live host name; without it the label lives on LABEL.localhost only")
	cmd.Flags().StringVar(&kind, "kind", string(label.KindCustomer), "customer or participant")
	return cmd
}

func labelsDiff(c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two labels",
		Args:  cobra.ExactArgs(2),
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
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(append([]label.Difference{}, differences...))
			}
			lines := [][]any{{"SETTING", args[0], args[1]}}
			for _, d := range differences {
				lines = append(lines, []any{d.Path, cell(d.A), cell(d.B)})
			}
			columns(cmd.OutOrStdout(), lines)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// labelsRetire returns the command that stops serving a label. Deleting the label's folder does not stop it (9-label-retire).
func labelsRetire(c *config.Config) *cobra.Command {
	undo := false
	cmd := &cobra.Command{
		Use:   "retire LABEL",
		Short: "Take a label offline on every replica; its records stay",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			key := args[0]
			a, done, err := open(cmd, c)
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
				return fmt.Errorf("there is no label %s", key)
			}
			if err := a.Archive.Retire(cmd.Context(), key); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Label %s is off the air within a few seconds, on every replica. Its records stay. Remove its folder, or bring it back:\n"+
				"wattle labels retire --undo %s\n", key, key)
			return nil
		},
	}
	c.BindFlags(cmd.Flags())
	cmd.Flags().BoolVar(&undo, "undo", false, "bring a retired brand back")
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
