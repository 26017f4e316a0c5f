package org.buftrail.flow.woven;

import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.SweeperThread;
import org.buftrail.flow.base.TrackingMode;
import org.buftrail.flow.base.WeakIdentityMap;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.DirectTable;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.tree.PathTree;

/**
 * All that one tracker knows, and what it does about a buffer. The JVM has one, which woven code
 * calls; a test may make more, and none knows of the others. Releases that were missed ({@link
 * MissedReleases}) are all taken for those of the JVM's.
 *
 * <p>What is static beside it is the JVM's:
 *
 * <ul>
 *   <li>the numbers of sites ({@code Sites}) and of types of resources ({@link Resources}), since
 *       woven code has them in it;
 *   <li>what is woven and what is not: which holders are found by interface ({@code Owners}),
 *       executors ({@link ExecutorScopes}), classes that failed ({@code UnwovenClasses}), and
 *       resources that wait for an agent ({@link AddedResources});
 *   <li>what is written where there may be no stack or memory: {@link Buffers#missed}, {@link
 *       Suppressed#unadded} and so all errors, {@link MemoryAlarm};
 *   <li>the log, the clock, and the list of service threads, which look after each other.
 * </ul>
 */
public final class Tracker {
  /** The one that woven code calls. */
  public static final Tracker INSTANCE = new Tracker();

  public final TrackingMode mode = new TrackingMode();
  public final SweeperThread sweeper = new SweeperThread();
  public final PathTree tree = new PathTree();
  public final SideTable sideTable = new SideTable();

  /** The allocators that were made, or met, as keys. */
  public final WeakIdentityMap<Boolean> pools = new WeakIdentityMap<>();

  public final DirectTable directTable = new DirectTable();
  public final Scopes scopes = new Scopes(mode);
  public final Nursery nursery = new Nursery(mode, sweeper, tree, sideTable, scopes);
  public final Misuses misuses = new Misuses(sideTable, nursery, scopes);
  final Moves moves = new Moves(mode, sideTable, nursery);
  public final Births births = new Births(mode, sideTable, scopes, nursery, moves.composites);
  final Releases releases = new Releases(sideTable, scopes, nursery, moves);

  static {
    Suppressed.setEnding(INSTANCE.mode);
  }
}
