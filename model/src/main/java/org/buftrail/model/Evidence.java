package org.buftrail.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The code that had to do with the buffers of a leak or a misuse, as a bounded number of looks saw
 * it.
 *
 * <p>Stands beside a path and is no part of it: no hop, and nothing that distinguishes two paths.
 * Immutable.
 */
public final class Evidence {
  /** Places kept of each kind. */
  private static final int MAX_PLACES = 5;

  private final long looks;
  private final Map<Kind, List<Place>> places;

  /** What happened at a place. In the order in which files have them. */
  public enum Kind {
    /** The buffers were asked for. */
    ASKED_FOR("askedFor"),
    /** Those that were retained at all were so last. */
    RETAINED("retained"),
    /**
     * The last handler of a pipeline that they were handed to, or the last method of a library that
     * the application gave them to, of those of which that is known.
     */
    HANDED("handed"),
    /** The release after which they were misused. */
    RELEASED("released"),
    /** The type of the message that had them last, in place of a frame: a site without a method. */
    MESSAGE("message");

    private final String key;

    Kind(String key) {
      this.key = key;
    }

    /** Its name in files. */
    public String key() {
      return key;
    }
  }

  /** Frames of the stack that several looks have in common, or a call. Immutable. */
  public static final class Place {
    private final @Nullable Site own;
    private final List<Site> library;
    private final List<Site> callers;
    private final long looks;

    /**
     * @param own the nearest frame of the application, or null
     * @param library the nearest frames of libraries, the nearest first; empty only beside {@code
     *     own}
     * @param callers what called {@code own}, the nearest first; beside a library's method that a
     *     buffer was handed to, the application's call
     * @param looks how many looks saw the nearest one
     * @throws IllegalArgumentException when there is no frame
     */
    public Place(@Nullable Site own, List<Site> library, List<Site> callers, long looks) {
      if (own == null && library.isEmpty()) {
        throw new IllegalArgumentException("no frame");
      }
      this.own = own;
      this.library = List.copyOf(library);
      this.callers = List.copyOf(callers);
      this.looks = looks;
    }

    /** The nearest frame of the application; null where the stack had none. */
    public @Nullable Site own() {
      return own;
    }

    /** The nearest frames of libraries, without those of the buffers' own; the nearest first. */
    public List<Site> library() {
      return library;
    }

    /**
     * The frames beyond {@link #own}, the nearest first; beside a library's method that a buffer
     * was handed to, the application's call. May be empty.
     */
    public List<Site> callers() {
      return callers;
    }

    /** How many looks saw {@link #nearest}. */
    public long looks() {
      return looks;
    }

    /** The frame of the application or, where there is none, the nearest of a library. */
    public Site nearest() {
      return own == null ? library.get(0) : own;
    }
  }

  /** Adds up looks by their nearest frames. Not thread-safe. */
  public static final class Builder {
    private final Map<Kind, Map<Site, Sum>> sums = new EnumMap<>(Kind.class);
    private long looks;

    private static final class Sum {
      Place most;
      long looks;

      Sum(Place most) {
        this.most = most;
      }
    }

    /**
     * Adds buffers that were looked at.
     *
     * @return this
     */
    public Builder looks(long more) {
      looks += more;
      return this;
    }

    /**
     * Adds what looks saw of some of those.
     *
     * @param place null where nothing was seen
     * @return this
     */
    public Builder add(Kind kind, @Nullable Place place) {
      if (place != null) {
        Map<Site, Sum> ofKind = sums.get(kind);
        if (ofKind == null) {
          ofKind = new LinkedHashMap<>();
          sums.put(kind, ofKind);
        }
        Sum sum = ofKind.get(place.nearest());
        if (sum == null) {
          sum = new Sum(place);
          ofKind.put(place.nearest(), sum);
        } else if (place.looks > sum.most.looks) {
          sum.most = place;
        }
        sum.looks += place.looks;
      }
      return this;
    }

    /** Adds all of another path's, if there is any. */
    public Builder addAll(@Nullable Evidence other) {
      if (other != null) {
        looks += other.looks;
        for (Map.Entry<Kind, List<Place>> ofKind : other.places.entrySet()) {
          for (Place place : ofKind.getValue()) {
            add(ofKind.getKey(), place);
          }
        }
      }
      return this;
    }

    /** Returns the evidence that was added; null if there was none. */
    public @Nullable Evidence build() {
      if (looks == 0) {
        return null;
      }
      Map<Kind, List<Place>> places = new EnumMap<>(Kind.class);
      for (Map.Entry<Kind, Map<Site, Sum>> ofKind : sums.entrySet()) {
        places.put(ofKind.getKey(), List.copyOf(places(ofKind.getValue())));
      }
      return new Evidence(looks, places);
    }

    private static List<Place> places(Map<Site, Sum> sums) {
      List<Place> places = new ArrayList<>();
      for (Sum sum : sums.values()) {
        int at = 0;
        while (at < places.size() && !isBefore(sum, places.get(at))) {
          at++;
        }
        Place most = sum.most;
        places.add(at, new Place(most.own, most.library, most.callers, sum.looks));
      }
      return places.subList(0, Math.min(MAX_PLACES, places.size()));
    }

    /** So that equal looks give equal text. */
    private static boolean isBefore(Sum sum, Place other) {
      return sum.looks != other.looks
          ? sum.looks > other.looks
          : sum.most.nearest().toString().compareTo(other.nearest().toString()) < 0;
    }
  }

  private Evidence(long looks, Map<Kind, List<Place>> places) {
    this.looks = looks;
    this.places = places;
  }

  /** How many of the buffers were looked at; never scaled. */
  public long looks() {
    return looks;
  }

  /** Where something happened to them, most looks first; empty where that was not seen. */
  public List<Place> places(Kind kind) {
    return places.getOrDefault(kind, List.of());
  }
}
