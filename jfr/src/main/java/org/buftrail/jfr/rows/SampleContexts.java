package org.buftrail.jfr.rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/** What the attribute sets of a dictionary say of samples; each set is looked at once. */
final class SampleContexts {
  private static final List<String> SPANS = List.of("datadog.span.id", "profile_id");

  private final Dictionary dictionary;
  private final List<@Nullable Context> known = new ArrayList<>();

  /** Keys and values of attributes that have been asked for. */
  private final List<Map.@Nullable Entry<String, String>> named = new ArrayList<>();

  private final Map<Integer, String> keys = new HashMap<>();

  private Map<String, String> common = Map.of();

  /**
   * What is known of samples beside their stack and values.
   *
   * @param span where no link names one
   * @param fields without what all samples have, and without the thread
   */
  record Context(
      @Nullable String thread,
      @Nullable String state,
      @Nullable String span,
      Map<String, String> tags,
      Map<String, String> fields) {}

  SampleContexts(Dictionary dictionary) {
    this.dictionary = dictionary;
  }

  /** Forgets all: the dictionary has been cleared. */
  void clear() {
    renew();
    common = Map.of();
  }

  /** Forgets what sets say, and keeps what all samples have in common. */
  void renew() {
    known.clear();
    named.clear();
    keys.clear();
  }

  /** Says what all samples from now on have in common. */
  void common(Map<String, String> tags) {
    if (!common.equals(tags)) {
      common = tags;
      known.clear();
    }
  }

  /** What all samples have in common. */
  Map<String, String> common() {
    return common;
  }

  Context of(int set) {
    while (known.size() <= set) {
      known.add(null);
    }
    Context context = known.get(set);
    if (context == null) {
      context = define(set);
      known.set(set, context);
    }
    return context;
  }

  private Context define(int set) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < dictionary.attributeSets().length(set); i++) {
      Map.Entry<String, String> each = named(dictionary.attributeSets().attribute(set, i));
      attributes.put(each.getKey(), each.getValue());
    }
    String thread = attributes.remove("thread.name");
    String number = attributes.get("thread.id");
    String state = attributes.remove("thread.state");
    String span = null;
    for (String key : SPANS) {
      String value = attributes.get(key);
      span = span == null ? value : span;
    }
    Map<String, String> tags = new TreeMap<>(common);
    tags.putAll(attributes);
    attributes.remove("thread.id");
    return new Context(
        thread == null && number != null ? "[tid=" + number + "]" : thread,
        state,
        span,
        Collections.unmodifiableMap(tags),
        Collections.unmodifiableMap(attributes));
  }

  /** An attribute, which many sets share. */
  private Map.Entry<String, String> named(int attribute) {
    while (named.size() <= attribute) {
      named.add(null);
    }
    Map.Entry<String, String> known = named.get(attribute);
    if (known == null) {
      known =
          Map.entry(
              keys.computeIfAbsent(
                  dictionary.attributes().key(attribute), dictionary.strings()::get),
              dictionary.attributes().text(attribute));
      named.set(attribute, known);
    }
    return known;
  }
}
