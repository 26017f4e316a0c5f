package com.example.woven;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Methods that put what they get into a collection of this class, and others. */
@SuppressWarnings("unused")
public class Collects extends ChannelInboundHandlerAdapter {
  private final Queue<Object> waiting = new ArrayDeque<>();
  private final Map<String, FullHttpRequest> byKey = new HashMap<>();
  private final Map<Key, Integer> sizes = new HashMap<>();
  private final AtomicReference<ByteBuf> one = new AtomicReference<>();

  /** No message. */
  static final class Key {}

  void collects(ByteBuf buffer) {
    if (buffer.isReadable()) {
      waiting.add(buffer);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf buffer = (ByteBuf) message;
    waiting.offer(buffer);
  }

  void collectsByKey(FullHttpRequest request) {
    byKey.put(request.uri(), request);
  }

  /** As a decoder's, which hands it on. */
  void fills(ByteBuf buffer, List<Object> out) {
    out.add(buffer);
  }

  void collectsOf(UUID id, ByteBuf buffer, Optional<String> name) {
    waiting.add(buffer);
  }

  /** Puts what is no message into a collection. */
  void handles(ChannelHandlerContext context, ByteBuf buffer, Key key) {
    sizes.put(key, buffer.readableBytes());
  }

  void passes(ByteBuf buffer) {
    one.set(buffer);
  }

  /** Keeps a number. */
  void counts(ByteBuf buffer) {
    waiting.add(buffer.readableBytes());
  }

  void releasesAll() {
    byKey.values().forEach(FullHttpRequest::release);
  }

  void releases() {
    one.get().release();
  }
}
