package org.buftrail.flow.woven;

import org.buftrail.flow.base.Restraints;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.scope.Scopes;
import org.buftrail.flow.state.SideTable;
import org.buftrail.flow.tree.PathTree;

/**
 * All that one tracker knows, and what it does about a buffer. The JVM has one, which woven code
 * calls; a test may make more, and none knows of the others.
 *
 * <p>What is static beside it is the JVM's, whatever the number of trackers: the numbers of sites
 * and of types of resources, which woven code has in it; which classes hold buffers; what woven
 * code writes without a call, since it may have no stack for one ({@link Flows#missed}, {@link
 * Suppressed#unadded}), and so the errors; the scopes of executors, and resources that were added
 * before there was an agent; the log, the clock and the threads of the tracker.
 */
public final class Tracker {
  /** The one that woven code calls. */
  public static final Tracker INSTANCE = new Tracker();

  public final Restraints restraints = new Restraints();
  public final PathTree tree = new PathTree();
  public final SideTable sideTable = new SideTable();
  public final Scopes scopes = new Scopes(restraints);
  public final Nursery nursery = new Nursery(restraints, tree, sideTable, scopes);
  public final Misuses misuses = new Misuses(sideTable, nursery, scopes);
  final Moves moves = new Moves(restraints, sideTable, nursery);
  public final Births births = new Births(restraints, sideTable, scopes, nursery, moves.composites);
  final Releases releases = new Releases(sideTable, nursery);

  static {
    Suppressed.setEnding(INSTANCE.restraints);
  }
}
