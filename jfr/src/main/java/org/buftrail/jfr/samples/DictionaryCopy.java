package org.buftrail.jfr.samples;

import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FunctionTable;
import org.buftrail.profile.dictionary.KeyTable;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.MappingTable;

/** Copies what identities of samples point to from one dictionary to another. */
public final class DictionaryCopy {
  private final Dictionary from;
  private final Dictionary to;

  // What entries have become; 0 is not known yet, or the zero entry.
  private final int[] strings;
  private final int[] locations;
  private final int[] sets;

  public DictionaryCopy(Dictionary from, Dictionary to) {
    this.from = from;
    this.to = to;
    strings = new int[from.strings().size()];
    locations = new int[from.locations().size()];
    sets = new int[from.attributeSets().size()];
  }

  /** Copies an identity; answers what it is called in a table of the other dictionary's. */
  int identity(KeyTable identities, int index, KeyTable copied) {
    return copied.intern(
        stack(identities.stack(index)),
        attributeSet(identities.attributeSet(index)),
        link(identities.link(index)));
  }

  private int stack(int stack) {
    int[] frames = new int[from.stacks().depth(stack)];
    from.stacks().copy(stack, frames);
    for (int i = 0; i < frames.length; i++) {
      frames[i] = location(frames[i]);
    }
    return to.stacks().intern(frames, 0, frames.length);
  }

  private int location(int location) {
    if (locations[location] == 0) {
      LocationTable table = from.locations();
      locations[location] =
          to.locations()
              .intern(
                  mapping(table.mapping(location)),
                  table.address(location),
                  function(table.function(location)),
                  table.line(location),
                  0,
                  attributeSet(table.attributeSet(location)));
    }
    return locations[location];
  }

  private int function(int function) {
    FunctionTable table = from.functions();
    return to.functions()
        .intern(
            string(table.name(function)),
            string(table.systemName(function)),
            string(table.fileName(function)),
            table.startLine(function));
  }

  private int mapping(int mapping) {
    MappingTable table = from.mappings();
    return to.mappings()
        .intern(
            table.start(mapping),
            table.limit(mapping),
            table.fileOffset(mapping),
            string(table.fileName(mapping)),
            attributeSet(table.attributeSet(mapping)));
  }

  private int attributeSet(int set) {
    if (sets[set] == 0) {
      int[] members = new int[from.attributeSets().length(set)];
      for (int i = 0; i < members.length; i++) {
        members[i] = attribute(from.attributeSets().attribute(set, i));
      }
      sets[set] = to.attributeSets().intern(members, 0, members.length);
    }
    return sets[set];
  }

  private int attribute(int attribute) {
    AttributeTable table = from.attributes();
    int key = string(table.key(attribute));
    int unit = string(table.unit(attribute));
    switch (table.kind(attribute)) {
      case STRING:
        return to.attributes().internString(key, string(table.stringValue(attribute)), unit);
      case LONG:
        return to.attributes().internLong(key, table.longValue(attribute), unit);
      case DOUBLE:
        return to.attributes().internDouble(key, table.doubleValue(attribute), unit);
      case BOOLEAN:
        return to.attributes().internBoolean(key, table.booleanValue(attribute));
      default:
        return 0;
    }
  }

  private int link(int link) {
    return to.links()
        .intern(from.links().traceHigh(link), from.links().traceLow(link), from.links().span(link));
  }

  private int string(int string) {
    if (strings[string] == 0) {
      strings[string] = to.strings().intern(from.strings().get(string));
    }
    return strings[string];
  }
}
