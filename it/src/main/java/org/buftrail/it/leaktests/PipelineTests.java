package org.buftrail.it.leaktests;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.IllegalReferenceCountException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A misuse in a handler, of the test's thread and of an event loop, that comes to the test by a
 * promise, in each way to ask one; beside those that come to nobody.
 */
public class PipelineTests {
  private static final Class<IllegalReferenceCountException> WRONG_COUNT =
      IllegalReferenceCountException.class;

  private final EmbeddedChannel embedded = new EmbeddedChannel(Writer.releasing());
  private @Nullable EventLoopGroup loops;

  private static ByteBuf released() {
    ByteBuf buffer = Buffers.written(Buffers.direct());
    buffer.release();
    return buffer;
  }

  /** Its handler runs on an event loop. */
  private Channel connected() {
    EventLoopGroup group = new DefaultEventLoopGroup(1);
    loops = group;
    LocalAddress address = new LocalAddress(PipelineTests.class);
    new ServerBootstrap()
        .group(group)
        .channel(LocalServerChannel.class)
        .childHandler(new ChannelInboundHandlerAdapter())
        .bind(address)
        .syncUninterruptibly();
    return new Bootstrap()
        .group(group)
        .channel(LocalChannel.class)
        .handler(Writer.releasing())
        .connect(address)
        .syncUninterruptibly()
        .channel();
  }

  @AfterEach
  void stop() {
    embedded.finishAndReleaseAll();
    if (loops != null) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void cleanSyncUninterruptibly() {
    ChannelFuture written = embedded.writeAndFlush(released());
    assertThrows(WRONG_COUNT, written::syncUninterruptibly);
  }

  @Test
  void cleanSync() {
    assertThrows(WRONG_COUNT, () -> embedded.writeAndFlush(released()).sync());
  }

  @Test
  void cleanGet() {
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> embedded.writeAndFlush(released()).get());
    assertInstanceOf(WRONG_COUNT, e.getCause());
  }

  @Test
  void cleanAwaitAndCause() throws InterruptedException {
    ChannelFuture written = embedded.writeAndFlush(released()).await();
    assertInstanceOf(WRONG_COUNT, written.cause());
  }

  @Test
  void cleanListener() {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    embedded.writeAndFlush(released()).addListener(done -> failure.complete(done.cause()));
    assertInstanceOf(WRONG_COUNT, failure.join());
  }

  @Test
  void cleanWriteOutbound() {
    assertThrows(WRONG_COUNT, () -> embedded.writeOutbound(released()));
  }

  @Test
  void cleanOfALoopBySyncUninterruptibly() {
    Channel channel = connected();
    assertThrows(WRONG_COUNT, () -> channel.writeAndFlush(released()).syncUninterruptibly());
  }

  @Test
  void cleanOfALoopByGet() {
    Channel channel = connected();
    ExecutionException e =
        assertThrows(
            ExecutionException.class,
            () -> channel.writeAndFlush(released()).get(10, TimeUnit.SECONDS));
    assertInstanceOf(WRONG_COUNT, e.getCause());
  }

  @Test
  void cleanOfALoopByAwaitAndCause() throws InterruptedException {
    ChannelFuture written = connected().writeAndFlush(released()).await();
    assertInstanceOf(WRONG_COUNT, written.cause());
  }

  @Test
  void cleanOfALoopByListener() {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    connected().writeAndFlush(released()).addListener(done -> failure.complete(done.cause()));
    assertInstanceOf(WRONG_COUNT, failure.join());
  }

  @Test
  void leakAwaitedAlone() throws InterruptedException {
    embedded.writeAndFlush(released()).await();
  }

  @Test
  void leakOfALoopAwaitedAlone() throws InterruptedException {
    connected().writeAndFlush(released()).await();
  }

  @Test
  void leakThatNobodyWaitsFor() {
    Channel channel = connected();
    Object unused = channel.writeAndFlush(released());
    channel.eventLoop().submit(() -> {}).syncUninterruptibly();
  }

  /** What a handler on the way up throws, the end of the pipeline logs. */
  @Test
  void leakThatThePipelineLogs() {
    Channel channel = connected();
    channel.pipeline().addLast(Writer.reading());
    channel.pipeline().fireChannelRead(released());
    channel.eventLoop().submit(() -> {}).syncUninterruptibly();
  }
}
