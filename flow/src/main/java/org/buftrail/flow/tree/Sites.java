package org.buftrail.flow.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Site;

/**
 * Numbers the places that woven code names, so that a hop carries an int. One numbering for the
 * JVM, since woven code has the numbers in it.
 *
 * <p>Thread-safe. Grows by one entry for each woven place, which the loaded classes bound.
 */
public final class Sites {
  /** The most sites there can be: a node's key keeps two bits for the reference-count bucket. */
  static final int MAX = 1 << 29;

  private static final String BUFFER = "io.netty.buffer.ByteBuf";

  /** A count that reached 0. Named for the type, not the class, which differs between JDKs. */
  static final int RELEASE = intern(new Site(BUFFER, "release", "", 0, ""));

  public static final int RETAIN = intern(new Site(BUFFER, "retain", "", 0, ""));

  /** Stands for everything past a bound of the path tree. */
  static final int OVERFLOW = intern(new Site("(overflow)", "beyond", "", 0, ""));

  private static class Table {
    /** The numbers of the places that read as one does, the first first. */
    static final Map<Site, int[]> IDS = new HashMap<>();

    static final List<Site> BY_ID = new ArrayList<>();
  }

  private Sites() {}

  /**
   * The number of a place, the same for {@linkplain Site#isExactly the very place} alone.
   *
   * @throws IllegalStateException when there are 2^29 already
   */
  public static int intern(Site site) {
    synchronized (Table.IDS) {
      int[] known = Table.IDS.get(site);
      for (int i = 0; known != null && i < known.length; i++) {
        if (Table.BY_ID.get(known[i]).isExactly(site)) {
          return known[i];
        }
      }
      int id = Table.BY_ID.size();
      if (id == MAX) {
        throw new IllegalStateException("more than " + MAX + " sites");
      }
      int[] alike = known == null ? new int[1] : Arrays.copyOf(known, known.length + 1);
      alike[alike.length - 1] = id;
      Table.IDS.put(site, alike);
      Table.BY_ID.add(site);
      return id;
    }
  }

  public static Site get(int id) {
    synchronized (Table.IDS) {
      return Table.BY_ID.get(id);
    }
  }

  /** Whether another site reads as this one does. */
  static boolean hasAlike(int id) {
    synchronized (Table.IDS) {
      int[] alike = Table.IDS.get(Table.BY_ID.get(id));
      return alike != null && alike.length > 1;
    }
  }

  /** Whether a site is a line with a call, and not the method that the line is in. */
  static boolean isCall(int id) {
    return get(id).isCall();
  }

  /** The hop that ends the flow of a resource. */
  public static Site ofClose(String name) {
    return new Site(name, "close", "", 0, "");
  }
}
