package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.state.Library.Buffer;
import org.buftrail.flow.state.Library.Message;
import org.buftrail.flow.state.Library.View;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SideTableTest {
  private final SideTable table = new SideTable();
  private final Library library = new Library();

  /** A library of other buffers, which are followed as they should be. */
  private static final class Others extends Library {
    @Override
    public Class<?> type() {
      return Integer.class;
    }

    @Override
    public boolean covers(Class<?> c) {
      return c == Integer.class;
    }

    @Override
    public Object owner(Object object) {
      return object;
    }

    @Override
    public int capacity(Object owner) {
      return (Integer) owner;
    }

    @Override
    public boolean isLessExact() {
      return false;
    }

    @Override
    public boolean isUsedOnce() {
      return true;
    }
  }

  private SideState adopted(Object buffer) {
    return (SideState) Objects.requireNonNull(table.adopt(buffer));
  }

  @Test
  void aBufferIsFoundByItselfItsViewsAndTheMessagesThatHoldIt() {
    table.add(library);
    Buffer buffer = new Buffer();
    assertThat(table.find(buffer)).isNull();
    SideState side = adopted(buffer);
    assertThat(table.adopt(new View(buffer))).isSameAs(side);
    assertThat(table.get(buffer)).isSameAs(side);
    assertThat(table.find(buffer)).isSameAs(side);
    assertThat(table.find(new View(buffer))).isSameAs(side);
    assertThat(table.find(new Message(buffer))).isSameAs(side);
    assertThat(table.find(new Message(new View(buffer)))).isSameAs(side);
    assertThat(side.owner()).isSameAs(buffer);
  }

  @Test
  void whatIsNoBufferIsNotFoundAndNotAdopted() {
    table.add(library);
    adopted(new Buffer());
    for (Object other :
        new Object[] {"text", new View(null), new Message(null), new Message("text")}) {
      assertThat(table.find(other)).isNull();
      assertThat(table.adopt(other)).isNull();
    }
    assertThat(table.find(null)).isNull();
    assertThat(table.adopt(null)).isNull();
    assertThat(table.find(new Buffer())).as("another").isNull();
  }

  @Test
  void beforeALibraryIsKnownAndOnceItIsForgottenNothingIs() {
    Buffer buffer = new Buffer();
    assertThat(table.adopt(buffer)).isNull();
    table.add(library);
    SideState side = adopted(buffer);
    table.forgetBufferAccess();
    assertThat(table.find(buffer)).isNull();
    assertThat(table.adopt(buffer)).isNull();
    assertThat(table.get(buffer)).as("for its release").isSameAs(side);
  }

  @Test
  void librariesAreKnownBesideEachOther() {
    Integer other = Integer.valueOf(12_345);
    table.add(library);
    assertThat(table.adopt(other)).isNull();
    table.add(new Others());
    table.add(library);
    assertThat(adopted(other).capacity()).isEqualTo(12_345);
    assertThat(adopted(new Buffer()).capacity()).isEqualTo(8);
  }

  @Test
  void whetherOneIsFollowedLessExactlyIsTold() {
    assertThat(table.areLessExact()).isFalse();
    table.add(new Others());
    assertThat(table.areLessExact()).isFalse();
    table.add(library);
    assertThat(table.areLessExact()).isTrue();
    table.forgetBufferAccess();
    assertThat(table.areLessExact()).isFalse();
  }

  /** A few of many objects have the same hash code. */
  @Test
  void objectsWithTheSameIdentityHashAreToldApart() {
    table.add(library);
    Map<Integer, Buffer> byHash = new HashMap<>();
    Buffer one;
    Buffer other;
    do {
      one = new Buffer();
      other = byHash.put(System.identityHashCode(one), one);
    } while (other == null);
    SideState ofOne = adopted(one);
    assertThat(table.find(other)).isNull();
    SideState ofOther = adopted(other);
    assertThat(ofOther).isNotSameAs(ofOne);
    assertThat(table.get(one)).isSameAs(ofOne);
    assertThat(table.get(other)).isSameAs(ofOther);
    assertThat(table.remove(one, ofOther)).isFalse();
    assertThat(table.remove(one, ofOne)).isTrue();
    assertThat(table.remove(one, ofOne)).isFalse();
    assertThat(table.get(one)).isNull();
    assertThat(table.get(other)).isSameAs(ofOther);
    assertThat(table.isEmpty()).isFalse();
    assertThat(table.remove(other, ofOther)).isTrue();
    assertThat(table.isEmpty()).isTrue();
  }

  @Test
  void ofWhatHasOneLifeAloneNothingIsKeptAfterItsEnd() {
    table.add(library);
    table.add(new Others());
    Integer once = Integer.valueOf(12_345);
    Buffer often = new Buffer();
    SideState end = adopted(once);
    SideState pause = adopted(often);
    table.noteEnded(pause);
    table.noteEnded(FakeBuffer.heap(1));
    assertThat(table.get(often)).isSameAs(pause);
    table.noteEnded(end);
    assertThat(table.get(once)).isNull();
  }

  @Test
  void whatWasCollectedIsLetGoOf() {
    table.add(library);
    Buffer held = new Buffer();
    SideState side = adopted(held);
    SideState ofDropped = adoptDropped();
    while (!ofDropped.isGone()) {
      System.gc();
    }
    assertThat(ofDropped.owner()).isNull();
    assertThat(ofDropped.refCnt()).as("not known to be released").isEqualTo(1);
    assertThat(ofDropped.capacity()).as("what it was").isEqualTo(40);
    assertThat(ofDropped.isDirect()).isFalse();
    assertThat(table.remove(held, side)).isTrue();
    while (!table.isEmpty()) {
      table.expunge();
    }
  }

  private SideState adoptDropped() {
    Buffer buffer = new Buffer();
    SideState side = adopted(buffer);
    buffer.capacity = 40;
    buffer.isDirect = true;
    assertThat(side.isDirect()).isTrue();
    assertThat(table.adopt(buffer)).as("for its next life").isSameAs(side);
    return side;
  }

  @Test
  void aSideStateAsksItsBuffer() {
    table.add(library);
    Buffer buffer = new Buffer();
    SideState side = adopted(buffer);
    buffer.count = 3;
    assertThat(side.refCnt()).isEqualTo(3);
    buffer.capacity = 100;
    assertThat(side.capacity()).isEqualTo(100);
    buffer.capacity = -1;
    assertThat(side.capacity()).as("cannot say").isEqualTo(100);
    buffer.capacity = 0;
    assertThat(side.capacity()).isZero();
    assertThat(side.isDirect()).isFalse();
    assertThat(side.buftrail$owner()).isSameAs(side);
    assertThat(side.isOf(library)).isTrue();
    assertThat(side.isOf(new Library())).isFalse();
    assertThat(side.isOfResource()).isFalse();
    assertThat(side.isAsked()).isFalse();
    assertThat(side.ask(buffer, false)).as("a buffer is not").isEqualTo(1);
  }

  @Test
  void whatALibraryDoesNotSayIsTheUsual() {
    assertThat(library.needsRelease(new Buffer())).isTrue();
    assertThat(library.isUsedOnce()).isFalse();
    assertThat(library.isLessExact()).isTrue();
    assertThat(library.isAsked()).isFalse();
    assertThat(library.count(new Buffer(), false)).isEqualTo(1);
    assertThat(library.bytes(new Buffer(), false)).isEqualTo(-1);
    table.add(library);
    assertThat(adopted(new Buffer()).buftrail$needsRelease()).isTrue();
  }
}
