package org.buftrail.agent.weave.resources;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names what was to open or close a resource and was found in no class: a slip in an option makes
 * all that is opened a leak, or follows nothing. One thread at a time.
 */
public final class UnmatchedMembers {
  /** Looks after which it is said: what closes an object is woven soon after it was opened. */
  private static final int PATIENCE = 3;

  private final Map<ResourceRule, Integer> looks = new HashMap<>();

  /** Lines about resources that are opened and can never be closed, each once. */
  public List<String> look(List<ResourceRule> rules) {
    List<String> lines = new ArrayList<>();
    for (ResourceRule rule : rules) {
      if (rule.isNeverClosed() && looks.merge(rule, 1, Integer::sum) == PATIENCE) {
        lines.add(
            "resource "
                + rule.typeName()
                + ": no loaded class has "
                + rule.unmatched()
                + "; as it is, each that is opened will count as leaked");
      }
    }
    return lines;
  }

  /** Lines about all that was never found. */
  public static List<String> atEnd(List<ResourceRule> rules) {
    List<String> lines = new ArrayList<>();
    for (ResourceRule rule : rules) {
      String unmatched = rule.unmatched();
      if (!unmatched.isEmpty()) {
        lines.add("resource " + rule.typeName() + ": no loaded class had " + unmatched);
      }
    }
    return lines;
  }
}
