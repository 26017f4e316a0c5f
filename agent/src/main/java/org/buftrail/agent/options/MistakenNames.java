package org.buftrail.agent.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.buftrail.options.Option;

/**
 * Finds system properties and variables of the environment that are named as options are, and name
 * none: somebody meant one, and it has no effect.
 *
 * <p>They do not keep the agent from starting, as a slip in its argument does: others give such
 * names too. Kubernetes gives each container variables for a service named {@code buftrail}.
 */
public final class MistakenNames {
  private static final String PROPERTY = "buftrail.";
  private static final String VARIABLE = "BUFTRAIL_";

  /** Prefix of the names that the extension for tests reads and checks itself. */
  private static final String TEST = "test";

  /** Written by the agent itself, for the command that attaches it. */
  private static final String REPLY = "reply";

  private static final int MAX_NAMED = 5;

  private MistakenNames() {}

  /** A line for each, up to a bound. */
  public static List<String> lines(Properties properties, Map<String, String> environment) {
    List<String> lines = new ArrayList<>();
    String[] keys = Option.keys();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (name.startsWith(PROPERTY)) {
        add("system property", name, PROPERTY, keys, lines);
      }
    }
    String[] variables =
        Arrays.stream(Option.values())
            .map(option -> option.variable().substring(VARIABLE.length()))
            .toArray(String[]::new);
    for (String name : new TreeSet<>(environment.keySet())) {
      if (name.startsWith(VARIABLE)) {
        add("environment variable", name, VARIABLE, variables, lines);
      }
    }
    return bounded(lines);
  }

  private static void add(
      String what, String name, String prefix, String[] known, List<String> lines) {
    String key = name.substring(prefix.length());
    String lower = key.toLowerCase(Locale.ROOT);
    boolean isOurs = lower.equals(REPLY) || lower.startsWith(TEST);
    if (!isOurs && !Set.of(known).contains(key)) {
      lines.add(
          what
              + (" '" + name + "' is no option and has no effect (did you mean '" + prefix)
              + (Spelling.nearest(key, known) + "'?)"));
    }
  }

  private static List<String> bounded(List<String> lines) {
    int more = lines.size() - MAX_NAMED;
    if (more <= 0) {
      return lines;
    }
    List<String> first = new ArrayList<>(lines.subList(0, MAX_NAMED));
    first.add(more + " more names of properties or variables are no options");
    return first;
  }
}
