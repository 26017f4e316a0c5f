package org.buftrail.flow.tree;

import org.buftrail.model.Site;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A child and a loop are added to a full table at once, while a hop looks into it. */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "all ways, and each once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a way lost, or one that leads elsewhere")
@State
public class WaysAgainstHop {
  private static final int CHILD = key(7);

  private final PathTree tree = new PathTree();
  private final Node root = tree.root(1, 0);
  private final Node parent = tree.grow(root, key(2));
  private final Node known = known();
  private boolean right;

  static int key(int line) {
    return Sites.intern(new Site("stress.Way", "on", "", line, "")) << 2 | 1;
  }

  /** Two of three children are in a table of four, which has no room for more. */
  private Node known() {
    tree.grow(parent, key(3));
    tree.grow(parent, key(4));
    return tree.grow(parent, key(5));
  }

  @Actor
  public void grow() {
    tree.grow(parent, CHILD);
    tree.noteLoop(parent, root, true);
    tree.noteLoop(parent, root, true);
  }

  @Actor
  public void look() {
    Node child = parent.child(CHILD);
    Node back = parent.way(root.key);
    right =
        parent.child(known.key) == known
            && (child == null || (child.key == CHILD && child.parent() == parent))
            && (back == null || back == root);
  }

  @Arbiter
  public void arbiter(ZZZ_Result r) {
    Node child = parent.child(CHILD);
    r.r1 = right;
    r.r2 = child != null && child.key == CHILD && parent.way(root.key) == root;
    r.r3 = parent.child(known.key) == known && parent.childCount() == 4;
  }
}
