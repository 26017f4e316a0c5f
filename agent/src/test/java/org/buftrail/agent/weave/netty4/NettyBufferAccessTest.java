package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.SwappedByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ResourceLeakDetector;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What buffers of a Netty say that was loaded before the agent, as it is. */
final class NettyBufferAccessTest {
  private static final ByteBufAllocator UNPOOLED = UnpooledByteBufAllocator.DEFAULT;

  private static final ResourceLeakDetector.Level BEFORE = ResourceLeakDetector.getLevel();

  /** Packages that were asked to be opened. */
  private final List<String> opened = new ArrayList<>();

  private final NettyBufferAccess foreign = make();

  private NettyBufferAccess make() {
    try {
      return new NettyBufferAccess(ByteBuf.class, type -> opened.add(type.getPackageName()));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** A buffer class of the application. */
  private static final class Own extends UnpooledHeapByteBuf {
    Own() {
      super(UNPOOLED, 8, 8);
    }
  }

  /** It would wrap one buffer in 128. */
  @BeforeAll
  static void withoutNettysDetector() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterAll
  static void asItWas() {
    ResourceLeakDetector.setLevel(BEFORE);
  }

  @BeforeEach
  void openNothingMoreThanOnce() {
    assertThat(opened).containsExactly("io.netty.buffer");
    opened.clear();
  }

  @Test
  void aViewHasTheCountOfWhatItShows() {
    ByteBuf buffer = UNPOOLED.heapBuffer(8).writeZero(8);
    List<ByteBuf> views =
        List.of(
            buffer,
            buffer.slice(2, 4),
            buffer.slice(2, 4).slice(1, 2),
            buffer.duplicate(),
            buffer.asReadOnly(),
            Unpooled.unreleasableBuffer(buffer),
            Unpooled.unreleasableBuffer(buffer.slice()).duplicate());
    for (ByteBuf view : views) {
      assertThat(foreign.owner(view)).as("%s", view).isSameAs(buffer);
    }
    assertThat(foreign.owner("text")).isNull();
    assertThat(foreign.owner(new DefaultByteBufHolder(buffer))).isNull();
    assertThat(opened).containsOnly("io.netty.buffer").hasSizeLessThan(views.size());
  }

  @Test
  void aCompositeSaysWhatItIsMadeOf() {
    ByteBuf one = UNPOOLED.directBuffer(8).writeZero(8);
    ByteBuf other = UNPOOLED.directBuffer(8).writeZero(8);
    ByteBuf composite = Unpooled.wrappedBuffer(one, other.slice(2, 4));
    assertThat(foreign.isComposite(composite)).isTrue();
    assertThat(foreign.components(composite)).startsWith(one, other);
    ByteBuf fixed = Unpooled.wrappedUnmodifiableBuffer(one, other.slice(2, 4));
    assertThat(foreign.isComposite(fixed)).isTrue();
    assertThat(foreign.components(fixed)).containsExactly(one, other);
    assertThat(foreign.isComposite(one)).isFalse();
    assertThat(foreign.components(one)).isEmpty();
  }

  @Test
  void aPooledSliceSaysWhatItKeeps() {
    ByteBuf whole = PooledByteBufAllocator.DEFAULT.directBuffer(8).writeZero(8);
    ByteBuf slice = whole.retainedSlice(0, 4);
    assertThat(foreign.owner(slice)).isSameAs(slice);
    assertThat(foreign.owner(slice.slice())).isSameAs(slice);
    assertThat(foreign.owner(slice.duplicate())).isSameAs(slice);
    assertThat(foreign.parent(slice)).isSameAs(whole);
    assertThat(foreign.parent(whole)).isNull();
    slice.release();
    whole.release();
  }

  @Test
  void aCompositeThatIsWrappedHasTheCount() {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    try {
      ByteBuf wrapped = PooledByteBufAllocator.DEFAULT.compositeHeapBuffer(4);
      assertThat(wrapped.unwrap()).isNotNull();
      assertThat(foreign.owner(wrapped)).isSameAs(wrapped.unwrap());
      wrapped.release();
    } finally {
      ResourceLeakDetector.setLevel(before);
    }
  }

  /** Wraps a buffer as classes of others do. */
  @SuppressWarnings("deprecation")
  private static class Wraps extends SwappedByteBuf {
    @SuppressWarnings("UnusedVariable") // read by its type
    private final ByteBuf mine;

    Wraps(ByteBuf mine, ByteBuf swapped) {
      super(swapped);
      this.mine = mine;
    }
  }

  @Test
  void aClassOfOthersWithOneFieldShowsWhatThatHas() {
    ByteBuf mine = UNPOOLED.heapBuffer(8);
    assertThat(foreign.owner(new Wraps(mine, UNPOOLED.heapBuffer(8)))).isSameAs(mine);
    assertThat(foreign.owner(new Wraps(mine.slice(), mine))).isSameAs(mine);
  }

  @Test
  void aHolderShowsWhatItHolds() {
    ByteBuf buffer = UNPOOLED.heapBuffer(8);
    List<Object> holders =
        List.of(
            new DefaultByteBufHolder(buffer),
            new DefaultLastHttpContent(buffer),
            new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/", buffer));
    for (Object holder : holders) {
      assertThat(foreign.covers(holder.getClass())).isTrue();
      assertThat(foreign.content(holder)).as(holder.getClass().getName()).isSameAs(buffer);
    }
    assertThat(foreign.content(buffer)).isSameAs(buffer);
    assertThat(foreign.content("text")).isNull();
    assertThat(foreign.covers(buffer.getClass())).isTrue();
    assertThat(foreign.covers(String.class)).isFalse();
    assertThat(foreign.type()).isSameAs(ByteBuf.class);
  }

  @Test
  void aBufferIsAskedForItsCountAndSize() {
    ByteBuf direct = UNPOOLED.directBuffer(24);
    direct.retain(2);
    assertThat(foreign.refCnt(direct)).isEqualTo(3);
    assertThat(foreign.capacity(direct)).isEqualTo(24);
    assertThat(foreign.isDirect(direct)).isTrue();
    assertThat(foreign.isDirect(UNPOOLED.heapBuffer(8))).isFalse();
    direct.release(3);
    assertThat(foreign.refCnt(direct)).isZero();
  }

  @Test
  void nothingIsLostOfWhatNettyDoesNotFree() {
    ByteBuffer memory = ByteBuffer.allocateDirect(8);
    assertThat(foreign.needsRelease(UNPOOLED.directBuffer(8))).isTrue();
    assertThat(foreign.needsRelease(pooled())).isTrue();
    assertThat(foreign.needsRelease(new Own())).as("which may free what it likes").isTrue();
    for (ByteBuf dropped :
        List.of(
            UNPOOLED.heapBuffer(8),
            Unpooled.wrappedBuffer(memory),
            Unpooled.wrappedBuffer(memory.asReadOnlyBuffer()),
            UNPOOLED.compositeHeapBuffer(4),
            Unpooled.wrappedUnmodifiableBuffer(
                UNPOOLED.heapBuffer(8).writeZero(8), UNPOOLED.heapBuffer(8).writeZero(8)))) {
      assertThat(foreign.needsRelease(dropped)).as("%s", dropped).isFalse();
    }
  }

  /** Without the wrapper that it has now and then. */
  private static ByteBuf pooled() {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(8);
    ByteBuf inner = buffer.unwrap();
    return inner == null ? buffer : inner;
  }
}
