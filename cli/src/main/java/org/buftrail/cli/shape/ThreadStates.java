package org.buftrail.cli.shape;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;

/** Samples of threads in some states, such as {@code runnable}. */
final class ThreadStates implements SampleTest {
  private static final String PREFIX = "STATE_";

  private final SampleAttribute state;
  private final List<String> wanted;

  /** What there is, for those who asked for something else. */
  private final Set<String> seen = new TreeSet<>();

  private ThreadStates(Profiles profiles, List<String> wanted) {
    this.state = new SampleAttribute(profiles.dictionary(), "thread.state");
    this.wanted = wanted;
  }

  /**
   * Those samples that are left.
   *
   * @param wanted beginnings of states' names, in any case
   * @throws NothingLeft naming the states that there are
   */
  static Profiles select(Profiles profiles, List<String> wanted, boolean timestamps)
      throws NothingLeft {
    ThreadStates states = new ThreadStates(profiles, wanted);
    Profiles left = Selected.of(profiles, states, timestamps);
    if (left.profiles().isEmpty()) {
      throw new NothingLeft(
          "no sample is of a thread in state "
              + String.join(" or ", wanted)
              + (states.seen.isEmpty()
                  ? "; none has the state"
                  : ", but in " + String.join(", ", states.seen)));
    }
    return left;
  }

  @Override
  public boolean keeps(Profile profile) {
    return true;
  }

  @Override
  public boolean keeps(Profile profile, int sample, long time) {
    String name = state.of(profile, sample);
    if (name == null) {
      return false;
    }
    String lower = (name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name);
    lower = lower.toLowerCase(Locale.ROOT);
    seen.add(lower);
    for (String each : wanted) {
      if (lower.startsWith(each.toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }
}
