package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;

/** Direct buffers by call: counted as they come, and as they are collected; none is kept alive. */
class DirectTableTest {
  private static final int HERE = Sites.intern(new Site("app.Here", "call", "", 1, ""));
  private static final int THERE = Sites.intern(new Site("app.There", "call", "", 2, ""));

  private final DirectTable table = new DirectTable();

  private List<DirectMemory.CallSite> sites() {
    return Objects.requireNonNull(table.sites());
  }

  @Test
  void nobodyKnowsAnythingWhereNoCallIsWoven() {
    table.add(ByteBuffer.allocate(8), HERE);
    assertThat(table.sites()).isNull();
  }

  @Test
  void mostLiveBytesComeFirst() {
    table.setOn(true);
    ByteBuffer small = ByteBuffer.allocateDirect(8);
    ByteBuffer large = ByteBuffer.allocateDirect(100);
    table.add(small, HERE);
    table.add(small, HERE);
    table.add(large, THERE);
    assertThat(sites()).hasSize(2);
    assertThat(sites().get(0).site().toString()).isEqualTo("app.There.call:2");
    assertThat(sites().get(1).live().count()).isEqualTo(2);
    assertThat(sites().get(1).live().bytes()).isEqualTo(16);
    assertThat(large.capacity() + small.capacity()).isEqualTo(108);
  }

  @Test
  void aBufferIsLiveUntilItIsCollected() throws InterruptedException {
    table.setOn(true);
    ByteBuffer kept = ByteBuffer.allocateDirect(8);
    table.add(kept, HERE);
    WeakReference<Object> dropped = addDropped();
    while (dropped.get() != null || sites().get(0).live().count() > 1) {
      System.gc();
      Thread.sleep(1);
    }
    assertThat(sites().get(0).live().bytes()).isEqualTo(kept.capacity());
    assertThat(sites().get(0).allocated().count()).isEqualTo(2);
    assertThat(sites().get(0).allocated().bytes()).isEqualTo(72);
  }

  private WeakReference<Object> addDropped() {
    ByteBuffer dropped = ByteBuffer.allocateDirect(64);
    table.add(dropped, HERE);
    return new WeakReference<>(dropped);
  }

  @Test
  void whatIsForgottenDoesNotEndLater() throws InterruptedException {
    table.setOn(true);
    WeakReference<Object> dropped = addDropped();
    table.clear();
    assertThat(table.sites()).isNull();
    table.setOn(true);
    ByteBuffer kept = ByteBuffer.allocateDirect(8);
    table.add(kept, HERE);
    while (dropped.get() != null) {
      System.gc();
      Thread.sleep(1);
    }
    assertThat(sites().get(0).live().count()).isEqualTo(1);
    assertThat(sites().get(0).live().bytes()).isEqualTo(kept.capacity());
  }
}
