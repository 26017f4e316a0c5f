package org.buftrail.cli.shape;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.jspecify.annotations.Nullable;

/**
 * Parts of profiles that were read with the time of every event. The parts have no times unless
 * they are wanted, and no profile is empty.
 */
public final class ProfileSelection {
  private ProfileSelection() {}

  /**
   * Samples of threads in certain states.
   *
   * @param states beginnings of their names, such as {@code runnable}, in any case
   * @throws NothingLeft naming the states that there are
   */
  public static Profiles inStates(Profiles all, List<String> states, boolean timestamps)
      throws NothingLeft {
    return ThreadStates.select(all, states, timestamps);
  }

  /**
   * Samples of threads that were in a span or in a call of a traced method.
   *
   * @param spans the profiles of spans and calls of the same recordings
   * @param leastNanos those that are shorter do not count
   * @param tag only spans of this name count; null for all, and for calls
   * @throws NothingLeft if there are neither spans nor calls, or nothing was sampled in one
   */
  public static Profiles inSpans(
      Profiles all, Profiles spans, long leastNanos, @Nullable String tag, boolean timestamps)
      throws NothingLeft {
    ThreadSpans test = new ThreadSpans(spans, leastNanos, tag).over(all);
    Profiles left = Selected.of(all, test, timestamps);
    if (left.profiles().isEmpty()) {
      throw new NothingLeft("no sample was taken in such a span or call");
    }
    return left;
  }

  /**
   * Samples that were taken for one trace.
   *
   * @param id up to 32 hexadecimal digits
   * @throws NothingLeft if there is none
   */
  public static Profiles ofTrace(Profiles all, String id, boolean timestamps) throws NothingLeft {
    Profiles left = Selected.of(all, new OfTrace(all.dictionary(), id), timestamps);
    if (left.profiles().isEmpty()) {
      throw new NothingLeft("no sample was taken for the trace " + id);
    }
    return left;
  }

  /**
   * Native memory that leaks: without all that was allocated, and without what is not freed but was
   * allocated late.
   *
   * @param tail the part of the time that is late, 0 to 1
   * @throws NothingLeft if no native memory was allocated, or all is freed or young
   */
  public static Profiles leaks(Profiles all, double tail, boolean timestamps) throws NothingLeft {
    Profiles left = Selected.of(all, new OldAllocations(all, tail), timestamps);
    for (Profile profile : left.profiles()) {
      if (profile.name().equals(OldAllocations.UNFREED)) {
        return left;
      }
    }
    throw new NothingLeft("all native memory was freed, or is too young to be a leak");
  }
}
