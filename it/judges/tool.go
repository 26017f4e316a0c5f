package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/google/pprof/profile"
)

var (
	findTool = sync.OnceValues(func() (string, error) {
		path, err := exec.Command("go", "tool", "-n", "pprof").Output()
		return strings.TrimSpace(string(path)), err
	})
	rawSample = regexp.MustCompile(`^ +(-?\d+(?: +-?\d+)*): `)
)

// Go's own command reads the file in three ways. Its raw listing may leave out samples without a
// stack, which some versions do.
func byTool(content []byte) (sums, error) {
	read, err := profile.ParseData(content)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "judges-*.pb.gz")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if _, err = file.Write(content); err != nil {
		return nil, err
	}
	if err = file.Close(); err != nil {
		return nil, err
	}
	var raw string
	for _, way := range []string{"-top", "-tags", "-raw"} {
		if raw, err = runTool(way, file.Name()); err != nil {
			return nil, err
		}
	}
	listed, err := ofRaw(raw, len(read.SampleType))
	if err != nil {
		return nil, err
	}
	all, withStack := make([]int64, len(read.SampleType)), make([]int64, len(read.SampleType))
	for _, sample := range read.Sample {
		for i, value := range sample.Value {
			all[i] += value
			if len(sample.Location) > 0 {
				withStack[i] += value
			}
		}
	}
	if fmt.Sprint(listed) != fmt.Sprint(all) && fmt.Sprint(listed) != fmt.Sprint(withStack) {
		return nil, fmt.Errorf("it lists %v of %v", listed, all)
	}
	found := sums{}
	for i, kind := range read.SampleType {
		found[kind.Type+"/"+kind.Unit] += all[i]
	}
	return found, nil
}

func runTool(way, file string) (string, error) {
	tool, err := findTool()
	if err != nil {
		return "", err
	}
	command := exec.Command(tool, way, file)
	var complaints strings.Builder
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", way, err, complaints.String())
	}
	return string(out), nil
}

// The sum of each column of values in a raw listing.
func ofRaw(raw string, columns int) ([]int64, error) {
	found := make([]int64, columns)
	_, samples, _ := strings.Cut(raw, "\nSamples:\n")
	samples, _, _ = strings.Cut(samples, "\nLocations\n")
	for _, line := range strings.Split(samples, "\n") {
		parts := rawSample.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		values := strings.Fields(parts[1])
		if len(values) != columns {
			return nil, fmt.Errorf("%d values in a line of %d types", len(values), columns)
		}
		for i, text := range values {
			value, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, err
			}
			found[i] += value
		}
	}
	return found, nil
}
