package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loses or keeps requests of two parts once a file is there, so that an agent can come before. */
public final class LostRequests {
  private static final int COUNT = 20;
  private static final Garbage LOST = new Garbage();
  private static final List<Object> KEPT = new ArrayList<>();

  private LostRequests() {}

  /**
   * Runs the program.
   *
   * @param args the file that says "running", the one that starts it, and "keep" to keep them
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    // Loads all classes.
    aggregate().release();
    Files.createFile(Path.of(args[0]));
    while (!Files.exists(Path.of(args[1]))) {
      Thread.sleep(2);
    }
    for (int i = 0; i < COUNT; i++) {
      if (args.length > 2) {
        keep(aggregate());
      } else {
        lose(aggregate());
      }
    }
    LOST.awaitCollection();
  }

  private static FullHttpRequest aggregate() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpObjectAggregator(1024));
    channel.writeInbound(
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/"),
        new DefaultHttpContent(part()),
        new DefaultLastHttpContent(part()));
    FullHttpRequest request = channel.readInbound();
    channel.finish();
    return request;
  }

  private static ByteBuf part() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(64).writeZero(32);
  }

  private static void keep(FullHttpRequest request) {
    KEPT.add(request);
  }

  private static void lose(FullHttpRequest request) {
    LOST.add(request.content());
  }
}
