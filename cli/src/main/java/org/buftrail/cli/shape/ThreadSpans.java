package org.buftrail.cli.shape;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Samples of threads that were in a span, or in a call of a traced method, when they were taken.
 * Threads are identified by their number alone.
 */
final class ThreadSpans implements SampleTest {
  private static final String SPAN = "span";
  private static final String METHOD_TRACE = "method_trace";

  private final SampleAttribute thread;

  /** By thread and time: how many begin less how many end there, then how many are open. */
  private final Map<String, TreeMap<Long, Integer>> open = new HashMap<>();

  /**
   * @param timed profiles with the time of each span and call
   * @param leastNanos those that are shorter do not count
   * @param tag only spans of this name count; null for all, and for calls
   * @throws NothingLeft if there are neither spans nor calls
   */
  ThreadSpans(Profiles timed, long leastNanos, @Nullable String tag) throws NothingLeft {
    thread = new SampleAttribute(timed.dictionary(), "thread.id");
    boolean found = false;
    for (Profile profile : timed.profiles()) {
      boolean spans = profile.name().equals(SPAN);
      if ((spans || profile.name().equals(METHOD_TRACE)) && profile.column() == 1) {
        found = true;
        if (spans || tag == null) {
          add(profile, timed.dictionary(), leastNanos, tag);
        }
      }
    }
    if (!found) {
      throw new NothingLeft("there are no spans (profiler.Span) and no traced methods");
    }
    for (TreeMap<Long, Integer> times : open.values()) {
      int count = 0;
      for (Map.Entry<Long, Integer> time : times.entrySet()) {
        count += time.getValue();
        time.setValue(count);
      }
    }
  }

  private void add(Profile profile, Dictionary dictionary, long least, @Nullable String tag) {
    Samples samples = profile.samples();
    Observations observations = samples.observations();
    for (int sample = 0; sample < samples.size(); sample++) {
      String id = thread.of(profile, sample);
      if (id == null || (tag != null && !tag.equals(name(dictionary, samples.stack(sample))))) {
        continue;
      }
      TreeMap<Long, Integer> times = open.computeIfAbsent(id, key -> new TreeMap<>());
      for (int i = 0; i < observations.count(sample); i++) {
        long length = observations.value(sample, i, 1);
        if (length >= least) {
          long begin = observations.time(sample, i);
          times.merge(begin, 1, Integer::sum);
          times.merge(begin + length, -1, Integer::sum);
        }
      }
    }
  }

  /** The name of a span stands as its only frame. */
  private static String name(Dictionary dictionary, int stack) {
    if (dictionary.stacks().depth(stack) == 0) {
      return "";
    }
    int function = dictionary.locations().function(dictionary.stacks().location(stack, 0));
    return dictionary.strings().get(dictionary.functions().name(function));
  }

  /** Forgets the tables that spans were read with, for those of the samples. */
  ThreadSpans over(Profiles profiles) {
    return new ThreadSpans(profiles, this);
  }

  private ThreadSpans(Profiles profiles, ThreadSpans spans) {
    thread = new SampleAttribute(profiles.dictionary(), "thread.id");
    open.putAll(spans.open);
  }

  @Override
  public boolean keeps(Profile profile) {
    return profile.samples().isObserved();
  }

  @Override
  public boolean keeps(Profile profile, int sample, long time) {
    String id = thread.of(profile, sample);
    TreeMap<Long, Integer> times = id == null ? null : open.get(id);
    Map.Entry<Long, Integer> before = times == null ? null : times.floorEntry(time);
    return before != null && before.getValue() > 0;
  }
}
