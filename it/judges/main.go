// Judges reads what the converter wrote with libraries of others, and says of each file what they
// say: one line "JUDGE<TAB>FILE<TAB>ok SUM" or "JUDGE<TAB>FILE<TAB>refused: why".
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"
	v1 "go.opentelemetry.io/proto/otlp/profiles/v1development"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// A judge answers the sums of values by sample type and unit, or why it refuses the file.
type judge struct {
	name   string
	suffix string
	sums   func([]byte) (sums, error)
}

type sums map[string]int64

var judges = []judge{
	{"proto", ".otlp", byProto},
	{"zero-values", ".otlp", zeroValues},
	{"pdata", ".otlp", byPdata},
	{"pdata-json", ".otlp.json", byPdataJSON},
	{"protojson", ".otlp.json", byProtoJSON},
	{"pprof", ".pb.gz", byPprof},
	{"pprof-tool", ".pb.gz", byTool},
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: judges FILE...")
		os.Exit(2)
	}
	for _, path := range os.Args[1:] {
		content, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "judges:", err)
			os.Exit(1)
		}
		for _, j := range judges {
			if strings.HasSuffix(path, j.suffix) {
				found, err := j.sums(content)
				verdict := "ok " + found.String()
				if err != nil {
					verdict = "refused: " + strings.ReplaceAll(err.Error(), "\n", "; ")
				}
				fmt.Printf("%s\t%s\t%s\n", j.name, path, verdict)
			}
		}
	}
}

func (s sums) String() string {
	return strings.TrimPrefix(fmt.Sprint(map[string]int64(s)), "map")
}

func byProto(content []byte) (sums, error) {
	var data v1.ProfilesData
	if err := (proto.UnmarshalOptions{}).Unmarshal(content, &data); err != nil {
		return nil, err
	}
	if unknown := data.ProtoReflect().GetUnknown(); len(unknown) > 0 {
		return nil, fmt.Errorf("%d bytes that it does not know", len(unknown))
	}
	return ofData(&data)
}

func byProtoJSON(content []byte) (sums, error) {
	var data v1.ProfilesData
	if err := protojson.Unmarshal(content, &data); err != nil {
		return nil, err
	}
	return ofData(&data)
}

func ofData(data *v1.ProfilesData) (sums, error) {
	found := sums{}
	text := data.GetDictionary().GetStringTable()
	for _, resource := range data.ResourceProfiles {
		for _, scope := range resource.ScopeProfiles {
			for _, p := range scope.Profiles {
				kind, unit := p.GetSampleType().GetTypeStrindex(), p.GetSampleType().GetUnitStrindex()
				if int(kind) >= len(text) || int(unit) >= len(text) {
					return nil, fmt.Errorf("sample type %d/%d of %d strings", kind, unit, len(text))
				}
				for _, sample := range p.Samples {
					for _, value := range sample.Values {
						found[text[kind]+"/"+text[unit]] += value
					}
					// Times without values stand for one each.
					if len(sample.Values) == 0 {
						found[text[kind]+"/"+text[unit]] += int64(len(sample.TimestampsUnixNano))
					}
				}
			}
		}
	}
	return found, nil
}

// The first entry of each table is the zero value, as the generated classes compare messages.
func zeroValues(content []byte) (sums, error) {
	var data v1.ProfilesData
	if err := proto.Unmarshal(content, &data); err != nil {
		return nil, err
	}
	d := data.GetDictionary()
	var wrong []string
	check := func(table string, length int, first, zero proto.Message) {
		if length == 0 || !proto.Equal(first, zero) {
			wrong = append(wrong, table)
		}
	}
	check("mapping_table", len(d.GetMappingTable()), at(d.GetMappingTable()), &v1.Mapping{})
	check("location_table", len(d.GetLocationTable()), at(d.GetLocationTable()), &v1.Location{})
	check("function_table", len(d.GetFunctionTable()), at(d.GetFunctionTable()), &v1.Function{})
	check("link_table", len(d.GetLinkTable()), at(d.GetLinkTable()), &v1.Link{})
	check("attribute_table", len(d.GetAttributeTable()), at(d.GetAttributeTable()), &v1.KeyValueAndUnit{})
	check("stack_table", len(d.GetStackTable()), at(d.GetStackTable()), &v1.Stack{})
	if len(d.GetStringTable()) == 0 || d.GetStringTable()[0] != "" {
		wrong = append(wrong, "string_table")
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("no zero value at index 0: %s", strings.Join(wrong, ", "))
	}
	return sums{}, nil
}

func at[T any](table []*T) *T {
	if len(table) == 0 {
		return nil
	}
	return table[0]
}

func byPdata(content []byte) (sums, error) {
	profiles, err := (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(content)
	if err != nil {
		return nil, err
	}
	again, err := (&pprofile.ProtoMarshaler{}).MarshalProfiles(profiles)
	if err != nil {
		return nil, err
	}
	var before, after v1.ProfilesData
	if err := proto.Unmarshal(content, &before); err != nil {
		return nil, err
	}
	if err := proto.Unmarshal(again, &after); err != nil {
		return nil, err
	}
	if before, after := tables(before.Dictionary), tables(after.Dictionary); before != after {
		return nil, fmt.Errorf("it has read tables of %v entries and writes %v", before, after)
	}
	return ofPdata(profiles)
}

// How many entries each table has, but for strings: it adds keys of the resource to these.
func tables(d *v1.ProfilesDictionary) [6]int {
	return [6]int{
		len(d.GetMappingTable()), len(d.GetLocationTable()), len(d.GetFunctionTable()),
		len(d.GetLinkTable()), len(d.GetAttributeTable()), len(d.GetStackTable()),
	}
}

func byPdataJSON(content []byte) (sums, error) {
	profiles, err := (&pprofile.JSONUnmarshaler{}).UnmarshalProfiles(bytes.TrimSpace(content))
	if err != nil {
		return nil, err
	}
	return ofPdata(profiles)
}

func ofPdata(profiles pprofile.Profiles) (sums, error) {
	found := sums{}
	text := profiles.Dictionary().StringTable()
	for _, resource := range profiles.ResourceProfiles().All() {
		for _, scope := range resource.ScopeProfiles().All() {
			for _, p := range scope.Profiles().All() {
				kind, unit := p.SampleType().TypeStrindex(), p.SampleType().UnitStrindex()
				if int(kind) >= text.Len() || int(unit) >= text.Len() {
					return nil, fmt.Errorf("sample type %d/%d of %d strings", kind, unit, text.Len())
				}
				for _, sample := range p.Samples().All() {
					for _, value := range sample.Values().All() {
						found[text.At(int(kind))+"/"+text.At(int(unit))] += value
					}
					if sample.Values().Len() == 0 {
						found[text.At(int(kind))+"/"+text.At(int(unit))] += int64(sample.TimestampsUnixNano().Len())
					}
				}
			}
		}
	}
	return found, nil
}

func byPprof(content []byte) (sums, error) {
	p, err := profile.ParseData(content)
	if err != nil {
		return nil, err
	}
	if err := p.CheckValid(); err != nil {
		return nil, err
	}
	found := sums{}
	for _, sample := range p.Sample {
		for i, kind := range p.SampleType {
			found[kind.Type+"/"+kind.Unit] += sample.Value[i]
		}
	}
	return found, nil
}
