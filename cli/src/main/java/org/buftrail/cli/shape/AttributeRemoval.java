package org.buftrail.cli.shape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.Dictionary;

/** Removes attributes from samples, by key. Samples that become equal are added up. */
public final class AttributeRemoval {
  /** What recordings say of samples, without {@code @Contextual} fields. Not all have all. */
  static final Set<String> KNOWN =
      Set.of(
          "thread.name",
          "thread.id",
          "thread.state",
          "jvm.class.name",
          "jvm.lock.class.name",
          "exception.type",
          "jfr.stack.truncated",
          "profiler.span.tag",
          "span_name",
          "profile_id",
          "context_id",
          "datadog.span.id",
          "datadog.local_root_span.id",
          "code.function.name",
          "netty.allocator",
          "buftrail.flow.direct",
          "buftrail.misuse.kind",
          "buftrail.misuse.place");

  private final Dictionary dictionary;
  private final Set<String> removed;
  private final Map<Integer, Integer> left = new HashMap<>();

  private AttributeRemoval(Dictionary dictionary, Set<String> removed) {
    this.dictionary = dictionary;
    this.removed = removed;
  }

  /**
   * Copies profiles without some attributes.
   *
   * @param all profiles over one dictionary
   * @throws IllegalArgumentException if a key is none of those that recordings have, and no sample
   *     has it; says which there are
   */
  public static List<Profiles> apply(List<Profiles> all, Set<String> removed) {
    check(all, removed);
    List<Profiles> changed = new ArrayList<>();
    for (Profiles profiles : all) {
      AttributeRemoval removal = new AttributeRemoval(profiles.dictionary(), removed);
      changed.add(Rekeyed.of(profiles, stack -> stack, removal::left));
    }
    return changed;
  }

  private static void check(List<Profiles> all, Set<String> removed) {
    Set<String> unknown = new TreeSet<>(removed);
    unknown.removeAll(KNOWN);
    if (unknown.isEmpty()) {
      return;
    }
    Set<String> keys = keys(all);
    unknown.removeAll(keys);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "no sample has the attribute "
              + String.join(", ", unknown)
              + (keys.isEmpty() ? ", or any other" : ", but " + String.join(", ", keys)));
    }
  }

  /** The keys of all attributes of samples. */
  static Set<String> keys(List<Profiles> all) {
    Set<String> keys = new TreeSet<>();
    for (Profiles profiles : all) {
      Dictionary dictionary = profiles.dictionary();
      Set<Integer> sets = new TreeSet<>();
      for (Profile profile : profiles.profiles()) {
        Samples samples = profile.samples();
        for (int sample = 0; sample < samples.size(); sample++) {
          sets.add(samples.attributeSet(sample));
        }
      }
      for (int set : sets) {
        for (int i = 0; i < dictionary.attributeSets().length(set); i++) {
          keys.add(key(dictionary, dictionary.attributeSets().attribute(set, i)));
        }
      }
    }
    return keys;
  }

  private static String key(Dictionary dictionary, int attribute) {
    return dictionary.strings().get(dictionary.attributes().key(attribute));
  }

  private int left(int set) {
    return left.computeIfAbsent(set, this::remove);
  }

  private int remove(int set) {
    AttributeSetTable sets = dictionary.attributeSets();
    int[] members = new int[sets.length(set)];
    int count = 0;
    for (int i = 0; i < members.length; i++) {
      int attribute = sets.attribute(set, i);
      if (!removed.contains(key(dictionary, attribute))) {
        members[count++] = attribute;
      }
    }
    return sets.intern(members, 0, count);
  }
}
