package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * Profiles, and the JDK's view of the same events, as sums by text: thread, then frames from the
 * leaf.
 */
final class Flattened {
  private Flattened() {}

  /** The values of a profile, by thread and frames. */
  static Map<String, Long> of(Profiles profiles, String name, String sampleType) {
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      if (profile.name().equals(name) && profile.sampleType().type().equals(sampleType)) {
        for (int i = 0; i < profile.samples().size(); i++) {
          sums.merge(key(profiles.dictionary(), profile, i), profile.value(i), Long::sum);
        }
      }
    }
    return sums;
  }

  /** The samples of processor time by thread and span. */
  static Map<String, Long> bySpan(Profiles profiles) {
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      if (profile.name().equals("cpu")) {
        for (int i = 0; i < profile.samples().size(); i++) {
          int set = profile.samples().attributeSet(i);
          String thread = attribute(profiles.dictionary(), set, "thread.name");
          String span = attribute(profiles.dictionary(), set, "profiler.span.tag");
          sums.merge(thread + " " + span, profile.value(i), Long::sum);
        }
      }
    }
    return sums;
  }

  private static String key(Dictionary dictionary, Profile profile, int sample) {
    int stack = profile.samples().stack(sample);
    List<String> frames = new ArrayList<>();
    for (int i = 0; i < dictionary.stacks().depth(stack); i++) {
      int location = dictionary.stacks().location(stack, i);
      int function = dictionary.locations().function(location);
      frames.add(
          dictionary.strings().get(dictionary.functions().name(function))
              + dictionary.strings().get(dictionary.functions().systemName(function))
              + ":"
              + dictionary.locations().line(location));
    }
    int set = profile.samples().attributeSet(sample);
    return attribute(dictionary, set, "thread.name")
        + "#"
        + attribute(dictionary, set, "thread.id")
        + " "
        + frames;
  }

  /** The text of an attribute of a set, or "null". */
  static String attribute(Dictionary dictionary, int set, String key) {
    for (int i = 0; i < dictionary.attributeSets().length(set); i++) {
      int attribute = dictionary.attributeSets().attribute(set, i);
      if (dictionary.strings().get(dictionary.attributes().key(attribute)).equals(key)) {
        return dictionary.attributes().text(attribute);
      }
    }
    return "null";
  }

  /** The key of an event as the JDK's reader sees it. */
  static String key(RecordedEvent event, String threadField) {
    List<String> frames = new ArrayList<>();
    if (event.getStackTrace() != null) {
      for (RecordedFrame frame : event.getStackTrace().getFrames()) {
        RecordedMethod method = frame.getMethod();
        frames.add(
            method == null
                ? "[unknown]"
                : method.getType().getName()
                    + "."
                    + method.getName()
                    + method.getDescriptor()
                    + ":"
                    + Math.max(0, frame.getLineNumber()));
      }
    }
    RecordedThread thread = event.getThread(threadField);
    if (thread == null) {
      return "null#null " + frames;
    }
    String name = thread.getJavaName() != null ? thread.getJavaName() : thread.getOSName();
    long id = thread.getJavaThreadId() > 0 ? thread.getJavaThreadId() : thread.getOSThreadId();
    return name + "#" + id + " " + frames;
  }
}
