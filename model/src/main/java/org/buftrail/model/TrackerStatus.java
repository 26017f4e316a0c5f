package org.buftrail.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tracker says of itself at one moment: what it could not do, and whether it still works.
 *
 * <p>Immutable. Counts are since the start of the JVM. Unless they say so they are not scaled by
 * sampling.
 */
public final class TrackerStatus {
  /** Nothing to say. */
  public static final TrackerStatus FINE = new Builder().build();

  private final long suppressedErrors;
  private final @Nullable Stop stop;
  private final long lostReleases;
  private final long undecided;
  private final boolean atEnd;
  private final long unwovenClasses;
  private final List<Unwoven> unwoven;
  private final List<Unwatched> unwatched;
  private final List<Unfollowed> unfollowed;
  private final List<ThreadHealth> threads;

  private TrackerStatus(Builder builder) {
    suppressedErrors = builder.suppressedErrors;
    stop = builder.stop;
    lostReleases = builder.lostReleases;
    undecided = builder.undecided;
    atEnd = builder.atEnd;
    unwovenClasses = Math.max(builder.unwovenClasses, builder.unwoven.size());
    unwoven = List.copyOf(builder.unwoven);
    unwatched = List.copyOf(builder.unwatched);
    unfollowed = List.copyOf(builder.unfollowed);
    threads = List.copyOf(builder.threads);
  }

  /** Errors inside the tracker that were kept from the application. */
  public long suppressedErrors() {
    return suppressedErrors;
  }

  /** Since when and why no new buffers are followed; null while they are. */
  public @Nullable Stop stop() {
    return stop;
  }

  /** Buffers known to be released whose release could not be recorded. */
  public long lostReleases() {
    return lostReleases;
  }

  /**
   * Flows counted as live of which it is not known whether the application still has them: no
   * collection that was asked for has just decided about them. Scaled by sampling.
   */
  public long undecided() {
    return undecided;
  }

  /** Whether the JVM was ending, so that what is undecided stays so. */
  public boolean isAtEnd() {
    return atEnd;
  }

  /** Classes that could not be woven, in whole or in part: {@link #unwoven()} names the first. */
  public long unwovenClasses() {
    return unwovenClasses;
  }

  /** The first classes that could not be woven. */
  public List<Unwoven> unwoven() {
    return unwoven;
  }

  /** Packages with buffers in which nothing is a hop, those with most classes first; bounded. */
  public List<Unwatched> unwatched() {
    return unwatched;
  }

  /** Classes of the application that keep buffers and are not followed; bounded. */
  public List<Unfollowed> unfollowed() {
    return unfollowed;
  }

  /** The tracker's own threads. */
  public List<ThreadHealth> threads() {
    return threads;
  }

  /** The same without the errors and lost releases that were there before. */
  public TrackerStatus since(TrackerStatus earlier) {
    Builder builder = new Builder();
    builder.suppressedErrors = Math.max(0, suppressedErrors - earlier.suppressedErrors);
    builder.stop = stop;
    builder.lostReleases = Math.max(0, lostReleases - earlier.lostReleases);
    builder.undecided = undecided;
    builder.atEnd = atEnd;
    builder.unwovenClasses = unwovenClasses;
    builder.unwoven.addAll(unwoven);
    builder.unwatched.addAll(unwatched);
    builder.unfollowed.addAll(unfollowed);
    builder.threads.addAll(threads);
    return builder.build();
  }

  /** Since when and why no new buffers are followed. */
  public static final class Stop {
    private final long sinceMillis;
    private final String reason;

    /**
     * @param sinceMillis milliseconds since the epoch
     * @param reason one line
     */
    public Stop(long sinceMillis, String reason) {
      this.sinceMillis = sinceMillis;
      this.reason = reason;
    }

    /** In milliseconds since the epoch. */
    public long sinceMillis() {
      return sinceMillis;
    }

    /** One line. */
    public String reason() {
      return reason;
    }
  }

  /** A class that could not be woven. */
  public static final class Unwoven {
    private final String className;
    private final String reason;

    /**
     * @param className its binary name
     * @param reason one line
     */
    public Unwoven(String className, String reason) {
      this.className = className;
      this.reason = reason;
    }

    /** Its binary name. */
    public String className() {
      return className;
    }

    /** One line. */
    public String reason() {
      return reason;
    }
  }

  /** A package with buffers in its classes in which nothing is a hop. */
  public static final class Unwatched {
    private final String packageName;
    private final String place;
    private final int classes;

    /**
     * @param packageName {@code com.example}
     * @param place the jar or directory that it comes from, without those around it
     * @param classes how many were loaded, 1 or more
     */
    public Unwatched(String packageName, String place, int classes) {
      this.packageName = packageName;
      this.place = place;
      this.classes = classes;
    }

    public String packageName() {
      return packageName;
    }

    /** The jar or directory that it comes from. */
    public String place() {
      return place;
    }

    /** How many of its classes have buffers in them. */
    public int classes() {
      return classes;
    }
  }

  /** A class of the application that keeps buffers in fields and is not followed. */
  public static final class Unfollowed {
    private final String className;
    private final List<String> fields;
    private final String reason;
    private final List<String> givers;

    /**
     * @param className its binary name
     * @param fields those in which it may keep a buffer, one or more
     * @param reason why it is not followed, as a clause without a subject
     * @param givers methods that give it buffers, {@code com.example.Router.decode}
     */
    public Unfollowed(String className, List<String> fields, String reason, List<String> givers) {
      this.className = className;
      this.fields = List.copyOf(fields);
      this.reason = reason;
      this.givers = List.copyOf(givers);
    }

    /** Its binary name. */
    public String className() {
      return className;
    }

    /** Fields in which it may keep a buffer. */
    public List<String> fields() {
      return fields;
    }

    /** Why it is not followed, as a clause without a subject. */
    public String reason() {
      return reason;
    }

    /** Methods that give it buffers, each as {@link Site#qualifiedName()} has it; bounded. */
    public List<String> givers() {
      return givers;
    }
  }

  /** How one of the tracker's own threads is. */
  public static final class ThreadHealth {
    /** Name of the thread that finds what has leaked, once a second. */
    public static final String SWEEPER = "buftrail-sweeper";

    /** In place of a time: there was none yet. */
    public static final long NEVER = -1;

    private final String name;
    private final long rounds;
    private final long lastRoundMillis;
    private final long failures;
    private final @Nullable String lastFailure;

    /**
     * @param name of the thread
     * @param rounds how often it did its work
     * @param lastRoundMillis when it last did, in milliseconds since the epoch, or {@link #NEVER}
     * @param failures rounds that failed
     * @param lastFailure one line, or null when none failed
     */
    public ThreadHealth(
        String name,
        long rounds,
        long lastRoundMillis,
        long failures,
        @Nullable String lastFailure) {
      this.name = name;
      this.rounds = rounds;
      this.lastRoundMillis = lastRoundMillis;
      this.failures = failures;
      this.lastFailure = lastFailure;
    }

    /** The thread's name. */
    public String name() {
      return name;
    }

    /** How often it did its work. */
    public long rounds() {
      return rounds;
    }

    /** When it last did its work, in milliseconds since the epoch, or {@link #NEVER}. */
    public long lastRoundMillis() {
      return lastRoundMillis;
    }

    /** Rounds that failed. */
    public long failures() {
      return failures;
    }

    /** The last failure in one line, or null. */
    public @Nullable String lastFailure() {
      return lastFailure;
    }
  }

  /** Collects what there is to say; what is not set is 0 or empty. Not thread-safe. */
  public static final class Builder {
    private long suppressedErrors;
    private @Nullable Stop stop;
    private long lostReleases;
    private long undecided;
    private boolean atEnd;
    private long unwovenClasses;
    private final List<Unwoven> unwoven = new ArrayList<>();
    private final List<Unwatched> unwatched = new ArrayList<>();
    private final List<Unfollowed> unfollowed = new ArrayList<>();
    private final List<ThreadHealth> threads = new ArrayList<>();

    /** Errors kept from the application, 0 or more. */
    public Builder suppressedErrors(long count) {
      suppressedErrors = count;
      return this;
    }

    /** No new buffers are followed; null when they are. */
    public Builder stop(@Nullable Stop stop) {
      this.stop = stop;
      return this;
    }

    /** Releases that could not be recorded, 0 or more. */
    public Builder lostReleases(long count) {
      lostReleases = count;
      return this;
    }

    /** Live flows that are not decided yet, 0 or more. */
    public Builder undecided(long count) {
      undecided = count;
      return this;
    }

    /** Whether the JVM is ending. */
    public Builder atEnd(boolean is) {
      atEnd = is;
      return this;
    }

    /** How many classes could not be woven, where not all of them are named. */
    public Builder unwovenClasses(long count) {
      unwovenClasses = count;
      return this;
    }

    /** Names one of them. */
    public Builder add(Unwoven unwoven) {
      this.unwoven.add(unwoven);
      return this;
    }

    /** Names a package that is not watched. */
    public Builder add(Unwatched unwatched) {
      int at = this.unwatched.size();
      while (at > 0 && this.unwatched.get(at - 1).classes() < unwatched.classes()) {
        at--;
      }
      this.unwatched.add(at, unwatched);
      return this;
    }

    /** Names a class that keeps buffers and is not followed. */
    public Builder add(Unfollowed unfollowed) {
      this.unfollowed.add(unfollowed);
      return this;
    }

    /** Tells how a thread is. */
    public Builder add(ThreadHealth thread) {
      threads.add(thread);
      return this;
    }

    /** The status, as collected so far. */
    public TrackerStatus build() {
      return new TrackerStatus(this);
    }
  }
}
