package org.buftrail.profile.otlp.write;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.MappingTable;
import org.buftrail.profile.dictionary.StackTable;

/** Finds what profiles use of their dictionary, from samples down to strings, and numbers it. */
final class UsedEntries {
  final Numbering strings = new Numbering();
  final Numbering functions = new Numbering();
  final Numbering locations = new Numbering();
  final Numbering stacks = new Numbering();
  final Numbering links = new Numbering();
  final Numbering attributes = new Numbering();
  final Numbering mappings = new Numbering();
  private final Numbering attributeSets = new Numbering();
  private final StackRun run = new StackRun(stacks);

  /** Numbers what all these use; they share the dictionary. */
  void find(List<Profiles> all, Dictionary dictionary) {
    // Sizes are taken after the names of types and kinds have been added.
    for (Profiles profiles : all) {
      for (Profile profile : profiles.profiles()) {
        internNames(profile, dictionary);
      }
    }
    reset(dictionary);
    for (Profiles profiles : all) {
      for (Profile profile : profiles.profiles()) {
        useNames(profile, dictionary);
        useSamples(profile.samples());
      }
    }
    useLocations(dictionary);
    useFunctionsAndMappings(dictionary);
    useAttributes(dictionary);
    for (Numbering table :
        List.of(strings, functions, locations, stacks, links, attributes, mappings)) {
      table.number();
    }
  }

  private static void internNames(Profile profile, Dictionary dictionary) {
    dictionary.strings().intern(profile.sampleType().type());
    dictionary.strings().intern(profile.sampleType().unit());
    dictionary.strings().intern(profile.periodType().type());
    dictionary.strings().intern(profile.periodType().unit());
    attributeSet(profile, dictionary);
  }

  /** The attributes of a profile, its kind among them. */
  static int attributeSet(Profile profile, Dictionary dictionary) {
    if (profile.name().isEmpty()) {
      return profile.attributeSet();
    }
    int kind = dictionary.attributes().intern(Profiles.KIND, profile.name());
    return dictionary.attributeSets().with(profile.attributeSet(), kind);
  }

  private void reset(Dictionary dictionary) {
    strings.reset(dictionary.strings().size());
    functions.reset(dictionary.functions().size());
    locations.reset(dictionary.locations().size());
    stacks.reset(dictionary.stacks().size());
    links.reset(dictionary.links().size());
    attributes.reset(dictionary.attributes().size());
    mappings.reset(dictionary.mappings().size());
    attributeSets.reset(dictionary.attributeSets().size());
  }

  private void useNames(Profile profile, Dictionary dictionary) {
    strings.use(dictionary.strings().intern(profile.sampleType().type()));
    strings.use(dictionary.strings().intern(profile.sampleType().unit()));
    strings.use(dictionary.strings().intern(profile.periodType().type()));
    strings.use(dictionary.strings().intern(profile.periodType().unit()));
    attributeSets.use(attributeSet(profile, dictionary));
  }

  private void useSamples(Samples samples) {
    for (int i = 0; i < samples.size(); i++) {
      stacks.use(samples.stack(i));
      attributeSets.use(samples.attributeSet(i));
      links.use(samples.link(i));
    }
  }

  private void useLocations(Dictionary dictionary) {
    StackTable table = dictionary.stacks();
    run.begin(1, table.size());
    while (run.next(table)) {
      locations.use(run.locations(), run.frames());
    }
  }

  private void useFunctionsAndMappings(Dictionary dictionary) {
    LocationTable locationTable = dictionary.locations();
    for (int i = 1; i < locationTable.size(); i++) {
      if (locations.isUsed(i)) {
        attributeSets.use(locationTable.attributeSet(i));
        if (locationTable.isPlain(i)) {
          functions.use(locationTable.function(i));
          continue;
        }
        mappings.use(locationTable.mapping(i));
        int lines = locationTable.lineCount(i);
        for (int k = 0; k < lines; k++) {
          functions.use(locationTable.function(i, k));
        }
      }
    }
    FunctionTable functionTable = dictionary.functions();
    for (int i = 1; i < functionTable.size(); i++) {
      if (functions.isUsed(i)) {
        strings.use(functionTable.name(i));
        strings.use(functionTable.systemName(i));
        strings.use(functionTable.fileName(i));
      }
    }
    MappingTable mappingTable = dictionary.mappings();
    for (int i = 1; i < mappingTable.size(); i++) {
      if (mappings.isUsed(i)) {
        strings.use(mappingTable.fileName(i));
        attributeSets.use(mappingTable.attributeSet(i));
      }
    }
  }

  private void useAttributes(Dictionary dictionary) {
    AttributeSetTable sets = dictionary.attributeSets();
    for (int i = 1; i < sets.size(); i++) {
      if (attributeSets.isUsed(i)) {
        for (int k = 0; k < sets.length(i); k++) {
          attributes.use(sets.attribute(i, k));
        }
      }
    }
    // Text values are written in place: only keys and units use the string table.
    AttributeTable table = dictionary.attributes();
    for (int i = 1; i < table.size(); i++) {
      if (attributes.isUsed(i)) {
        strings.use(table.key(i));
        strings.use(table.unit(i));
      }
    }
  }
}
