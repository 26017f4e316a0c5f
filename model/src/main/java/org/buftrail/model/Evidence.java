package org.buftrail.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The code that asked for the leaked buffers of a path, and that retained them last, as a bounded
 * number of looks at the stack saw it.
 *
 * <p>Stands beside a path and is no part of it: no hop, and nothing that tells two paths apart.
 * Immutable.
 */
public final class Evidence {
  /** Places kept of each kind. */
  private static final int MAX_PLACES = 5;

  private final long looks;
  private final List<Place> askedFor;
  private final List<Place> retained;

  /** Frames of the stack that several looks have in common. Immutable. */
  public static final class Place {
    private final @Nullable Site own;
    private final List<Site> library;
    private final long looks;

    /**
     * @param own the nearest frame of the application, or null
     * @param library the nearest frames of libraries, the nearest first; empty only beside {@code
     *     own}
     * @param looks how many looks saw the nearest one
     * @throws IllegalArgumentException when there is no frame
     */
    public Place(@Nullable Site own, List<Site> library, long looks) {
      if (own == null && library.isEmpty()) {
        throw new IllegalArgumentException("no frame");
      }
      this.own = own;
      this.library = List.copyOf(library);
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
    private final Map<Site, Sum> askedFor = new LinkedHashMap<>();
    private final Map<Site, Sum> retained = new LinkedHashMap<>();
    private long looks;

    private static final class Sum {
      Place most;
      long looks;

      Sum(Place most) {
        this.most = most;
      }
    }

    /**
     * Adds looks that saw the same.
     *
     * @param asked where the buffers were asked for, or null where that was not seen
     * @param retained where they were retained last, or null
     * @return this
     */
    public Builder add(long looks, @Nullable Place asked, @Nullable Place retained) {
      this.looks += looks;
      add(this.askedFor, asked);
      add(this.retained, retained);
      return this;
    }

    private static void add(Map<Site, Sum> sums, @Nullable Place place) {
      if (place == null) {
        return;
      }
      Sum sum = sums.get(place.nearest());
      if (sum == null) {
        sum = new Sum(place);
        sums.put(place.nearest(), sum);
      } else if (place.looks > sum.most.looks) {
        sum.most = place;
      }
      sum.looks += place.looks;
    }

    /** Adds all of another path's, if there is any. */
    public Builder addAll(@Nullable Evidence other) {
      if (other != null) {
        looks += other.looks;
        for (Place place : other.askedFor) {
          add(askedFor, place);
        }
        for (Place place : other.retained) {
          add(retained, place);
        }
      }
      return this;
    }

    /** What was added; null where nothing was. */
    public @Nullable Evidence build() {
      return looks == 0 ? null : new Evidence(looks, places(askedFor), places(retained));
    }

    private static List<Place> places(Map<Site, Sum> sums) {
      List<Place> places = new ArrayList<>();
      for (Sum sum : sums.values()) {
        int at = 0;
        while (at < places.size() && !isBefore(sum, places.get(at))) {
          at++;
        }
        places.add(at, new Place(sum.most.own, sum.most.library, sum.looks));
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

  private Evidence(long looks, List<Place> askedFor, List<Place> retained) {
    this.looks = looks;
    this.askedFor = List.copyOf(askedFor);
    this.retained = List.copyOf(retained);
  }

  /** How many of the leaked buffers were looked at; never scaled. */
  public long looks() {
    return looks;
  }

  /** Where they were asked for, most looks first. */
  public List<Place> askedFor() {
    return askedFor;
  }

  /** Where those were retained last that were retained at all, most looks first. */
  public List<Place> retained() {
    return retained;
  }
}
