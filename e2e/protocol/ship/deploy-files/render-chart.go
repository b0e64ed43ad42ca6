// Renders a Helm chart as `helm template` does, with the libraries that Helm uses: text/template, sprig and sigs.k8s.io/yaml.
// Helm itself is not a Debian package. Usage: render-chart <chart> <release>, with values on standard input.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/imdario/mergo"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func main() {
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, release string) error {
	values, about := object{}, object{}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(input, &values); err != nil {
		return err
	}
	defaults := object{}
	for name, target := range map[string]*object{"values.yaml": &defaults, "Chart.yaml": &about} {
		text, err := os.ReadFile(filepath.Join(chart, name))
		if err != nil {
			return err
		}
		if err := yaml.UnmarshalStrict(text, target); err != nil {
			return err
		}
	}
	if err := mergo.Merge(&defaults, values, mergo.WithOverride, mergo.WithOverwriteWithEmptyValue); err != nil {
		return err
	}
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(file).Parse(string(text)); err != nil {
			return err
		}
	}
	data := object{
		"Values":  defaults,
		"Chart":   object{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": object{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "_") || filepath.Ext(file) != ".yaml" {
			continue
		}
		var output strings.Builder
		if err := root.ExecuteTemplate(&output, file, data); err != nil {
			return err
		}
		fmt.Printf("---\n# Source: %s\n%s\n", filepath.Base(file), strings.ReplaceAll(output.String(), "<no value>", ""))
	}
	return nil
}

func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	all["include"] = func(name string, data interface{}) (string, error) {
		var output strings.Builder
		err := root.ExecuteTemplate(&output, name, data)
		return output.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	return all
}
