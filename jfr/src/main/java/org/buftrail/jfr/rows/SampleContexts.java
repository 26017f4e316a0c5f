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
  private static final String THREAD_ID = "thread.id";
  private static final List<String> SPANS = List.of("datadog.span.id", "profile_id");

  private final Dictionary dictionary;
  private final List<@Nullable Context> known = new ArrayList<>();

  /** Keys and values of attributes that have been asked for. */
  private final List<Map.@Nullable Entry<String, String>> named = new ArrayList<>();

  private final Map<Integer, String> keys = new HashMap<>();

  private Map<String, String> common = Map.of();

  /** What is known of samples beside their stack and values. */
  static final class Context {
    final @Nullable String thread;
    final @Nullable String state;

    /** Where no link names one. */
    final @Nullable String span;

    /** Without what all samples have, and without the thread. */
    final Map<String, String> fields;

    private final Map<String, String> common;
    private final @Nullable String number;
    private @Nullable Map<String, String> tags;

    private Context(
        Map<String, String> attributes,
        @Nullable String thread,
        @Nullable String state,
        @Nullable String number,
        Map<String, String> common) {
      this.thread = thread == null && number != null ? "[tid=" + number + "]" : thread;
      this.state = state;
      this.number = number;
      this.common = common;
      fields = Collections.unmodifiableMap(attributes);
      String found = null;
      for (String key : SPANS) {
        found = found == null ? attributes.get(key) : found;
      }
      span = found;
    }

    /** What all samples have too, and the thread's number. Events are not asked for them. */
    Map<String, String> tags() {
      Map<String, String> known = tags;
      if (known == null) {
        Map<String, String> all = new TreeMap<>(common);
        all.putAll(fields);
        if (number != null) {
          all.put(THREAD_ID, number);
        }
        known = Collections.unmodifiableMap(all);
        tags = known;
      }
      return known;
    }
  }

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
    String number = attributes.remove(THREAD_ID);
    String state = attributes.remove("thread.state");
    return new Context(attributes, thread, state, number, common);
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
