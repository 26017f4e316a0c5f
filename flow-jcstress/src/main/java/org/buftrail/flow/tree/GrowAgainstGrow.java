package org.buftrail.flow.tree;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Threads that grow one node at once agree on its children. */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "one child for each key")
@Outcome(expect = Expect.FORBIDDEN, desc = "two children for one key, or the wrong one")
@State
public class GrowAgainstGrow {
  private final PathTree tree = new PathTree();
  private final Node parent = tree.root(1, 0);
  private final Node[] found = new Node[2];
  private boolean right = true;

  @Actor
  public void one() {
    found[0] = tree.grow(parent, 5);
    tree.grow(parent, 9);
  }

  @Actor
  public void other() {
    tree.grow(parent, 9);
    // Read without the lock, as a hop does.
    Node five = parent.child(5);
    right = five == null || five.key == 5;
    found[1] = tree.grow(parent, 5);
  }

  @Arbiter
  public void arbiter(ZZZ_Result r) {
    r.r1 = found[0] == found[1] && parent.child(5) == found[0];
    r.r2 = parent.childCount() == 2 && tree.size() == 3;
    r.r3 = right;
  }
}
