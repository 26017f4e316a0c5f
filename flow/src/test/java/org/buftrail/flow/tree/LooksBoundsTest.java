package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.calls.Stacks.Library;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;

/** How much is kept of what looks saw, and what comes after that. */
final class LooksBoundsTest {
  private final PathTree tree = new PathTree();
  private final Looks looks = tree.looks;
  private final Node root = tree.root(site("A", 0), 0);
  private Node found = root;

  LooksBoundsTest() {
    looks.setOwn(name -> false);
  }

  private static int site(String type, int number) {
    return Sites.intern(new Site("a." + type + number, "m", "", 0, ""));
  }

  /** Always at the same place. */
  private Node look() {
    Library.decode(() -> found = looks.look(root));
    return found;
  }

  @Test
  void asManySightingsAreKeptAsAreAllowedAndThenNone() {
    Node first = look();
    assertThat(first.sighting()).isNotNull();
    for (int i = 1; i < Looks.MAX_LOOKS; i++) {
      assertThat(looks.handed(first, site("Caller", 0), site("Callee", i))).isNotSameAs(first);
    }
    assertThat(look()).isSameAs(first);
    looks.handed(first, site("Caller", 0), site("Callee", Looks.MAX_LOOKS));
    Node anew = look();
    assertThat(anew).isNotSameAs(first);
    assertThat(anew.sighting()).isEqualTo(first.sighting());
    assertThat(look()).isSameAs(anew);
  }

  @Test
  void asManyNodesAreKeptAsAreAllowedAndThenFlowsGoOnWithoutTheirLook() {
    Node looked = look();
    Node at = looked;
    int seen = 0;
    for (int level = 0; level < 40; level++) {
      Node next = at;
      for (int i = 0; i < 500; i++) {
        next = at.next(site("Hop" + level + "x", i) << 2 | 1);
        seen += next.sighting() != null ? 1 : 0;
        assertThat(next.site()).isEqualTo(site("Hop" + level + "x", i));
      }
      at = next;
    }
    assertThat(seen).isEqualTo(Looks.MAX_NODES);
    assertThat(at.sighting()).isNull();
    assertThat(at.counted()).isSameAs(at);
    // New entries get all the room that was freed.
    Node handed = looks.handed(looked, site("Caller", 0), site("Callee", 0));
    assertThat(handed.sighting()).isNotNull();
    assertThat(handed.next(site("Later", 0) << 2 | 1).sighting()).isNotNull();
  }

  @Test
  void waysFromOneSightingToTheNextCountAsNodes() {
    Node looked = look();
    Node last = looked;
    // Each new sighting is a way, and makes room once there are too many.
    for (int i = 0; i < Looks.MAX_LOOKS - 1; i++) {
      last = looks.handed(looked, site("Caller", 0), site("Callee", i));
      assertThat(looks.handed(looked, site("Caller", 0), site("Callee", i))).isSameAs(last);
    }
    int seen = 0;
    for (int level = 0; level < 40; level++) {
      Node next = last;
      for (int i = 0; i < 500; i++) {
        next = last.next(site("Hop" + level + "y", i) << 2 | 1);
        seen += next.sighting() != null ? 1 : 0;
      }
      last = next;
    }
    assertThat(seen).isEqualTo(Looks.MAX_NODES - (Looks.MAX_LOOKS - 1));
  }
}
