package org.buftrail.flow.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A type of resource, of which the application says something. */
final class ResourceTest {
  private final List<String> log = new ArrayList<>();
  private final Doors doors = new Doors();

  private interface Door {}

  private static class Gate implements Door {}

  private static final class Portcullis extends Gate {}

  /** Says what a test wants it to. */
  private static final class Doors implements TrackedResource {
    boolean isMine = true;
    long bytes = 40;
    @Nullable RuntimeException error;

    @Override
    public String type() {
      return Door.class.getName();
    }

    @Override
    public List<String> open() {
      return List.of("new");
    }

    @Override
    public List<String> close() {
      return List.of("close");
    }

    private void fail() {
      if (error != null) {
        throw error;
      }
    }

    @Override
    public boolean isMine(Object opened) {
      fail();
      return isMine;
    }

    @Override
    public long bytes(Object open) {
      fail();
      return bytes;
    }
  }

  private static Resource resource(@Nullable TrackedResource spi) {
    return new Resource(new PathTree(), "test.Door", Door.class.getName(), false, spi);
  }

  @BeforeEach
  void listen() {
    TrackerLog.setOut(log::add);
  }

  @AfterEach
  void listenNoMore() {
    TrackerLog.setOut(line -> {});
    // Each line is of one.
    Invariants.meant(log.size());
  }

  @Test
  void subtypesAreMeantByName() {
    Resource resource = resource(null);
    assertThat(resource.isMine(new Gate())).isTrue();
    assertThat(resource.isMine(new Portcullis())).isTrue();
    assertThat(resource.isMine(new Object())).isFalse();
    assertThat(resource.covers(Portcullis.class)).isTrue();
    assertThat(resource.covers(String.class)).isFalse();
  }

  @Test
  void theApplicationSaysWhichObjectsAreMeantAndHowLargeTheyAre() {
    Resource resource = resource(doors);
    Gate gate = new Gate();
    assertThat(resource.isMine(gate)).isTrue();
    doors.isMine = false;
    assertThat(resource.isMine(gate)).isFalse();
    assertThat(resource.bytes(gate, false)).isEqualTo(40);
    doors.bytes = -5;
    assertThat(resource.bytes(gate, false)).isZero();
    doors.bytes = Long.MAX_VALUE;
    assertThat(resource.bytes(gate, false)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void whoseAnswerFailsIsAskedNoMore() {
    Resource resource = resource(doors);
    Gate gate = new Gate();
    assertThat(resource.isAsked()).isTrue();
    doors.error = new IllegalStateException("no idea");
    assertThat(resource.bytes(gate, false)).isEqualTo(-1);
    assertThat(log)
        .containsExactly(
            "resources of type test.Door are followed no more:"
                + " java.lang.IllegalStateException: no idea");
    doors.error = null;
    assertThat(resource.isAsked()).isFalse();
    assertThat(resource.bytes(gate, false)).isEqualTo(-1);
    assertThat(resource.isMine(gate)).isFalse();
  }

  @Test
  void soIsWhoCannotSayWhichObjectsAreMeant() {
    Resource resource = resource(doors);
    doors.error = new IllegalStateException("no idea");
    assertThat(resource.isMine(new Gate())).isFalse();
    assertThat(log).hasSize(1);
    doors.error = null;
    assertThat(resource.isMine(new Gate())).isFalse();
    assertThat(log).hasSize(1);
  }

  @Test
  void whatIsRemovedIsFollowedNoMore() {
    Resource resource = resource(doors);
    resource.remove(new Doors());
    assertThat(resource.isMine(new Gate())).isTrue();
    resource.remove(doors);
    assertThat(resource.isMine(new Gate())).isFalse();
    assertThat(resource.bytes(new Gate(), false)).isEqualTo(-1);
    assertThat(log).isEmpty();
  }

  @Test
  void aTypeThatIsNotAskedCountsForOneHolderAndNoMemory() {
    Resource resource = resource(null);
    Gate gate = new Gate();
    assertThat(resource.isAsked()).isFalse();
    assertThat(resource.isResource()).isTrue();
    assertThat(resource.refCnt(gate)).isEqualTo(1);
    assertThat(resource.count(gate, false)).isEqualTo(1);
    assertThat(resource.capacity(gate)).isEqualTo(-1);
    assertThat(resource.bytes(gate, false)).isEqualTo(-1);
    assertThat(resource.isDirect(gate)).isFalse();
    assertThat(resource.owner(gate)).isSameAs(gate);
    assertThat(resource.content(gate)).isNull();
  }
}
