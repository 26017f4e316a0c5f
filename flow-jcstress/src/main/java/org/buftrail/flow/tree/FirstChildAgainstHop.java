package org.buftrail.flow.tree;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A node gets its first children, while a hop looks for one and for another. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "found, or not there yet")
@Outcome(expect = Expect.FORBIDDEN, desc = "a child lost, or a wrong one found")
@State
public class FirstChildAgainstHop {
  private static final int FIRST = WaysAgainstHop.key(3);
  private static final int SECOND = WaysAgainstHop.key(4);

  private final PathTree tree = new PathTree();
  private final Node root = tree.root(1, 0);
  private boolean right;

  @Actor
  public void grow() {
    tree.grow(root, FIRST);
    tree.grow(root, SECOND);
  }

  @Actor
  public void look() {
    right = isOrNull(SECOND) && isOrNull(FIRST) && isOrNull(0);
  }

  private boolean isOrNull(int key) {
    Node child = root.child(key);
    return child == null || (child.key == key && child.parent() == root);
  }

  @Arbiter
  public void arbiter(ZZ_Result r) {
    r.r1 = right;
    r.r2 = root.child(FIRST) != null && root.child(SECOND) != null;
  }
}
