package org.buftrail.flow.tree;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.flow.base.CallPlace;
import org.buftrail.flow.base.NearestFrames;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * The methods that flows are handed to, known without a look at the stack: those of handlers and
 * those of libraries that the application calls. And the types of messages that have flows.
 *
 * <p>Keeps names alone, {@value #MAX} of each kind; then all are made anew. Thread-safe.
 */
final class Receivers {
  private static final int MAX = 4_096;

  private final NearestFrames frames;
  private final Map<String, CallPlace> readers = new ConcurrentHashMap<>();
  private final Map<String, CallPlace> writers = new ConcurrentHashMap<>();

  private final Map<String, CallPlace> messages = new ConcurrentHashMap<>();

  /** Handlers with what had the flow before, by these two. */
  private final Map<List<Site>, CallPlace> inTurn = new ConcurrentHashMap<>();

  /** By the site of the call and the one of the method called. */
  private final Map<Long, CallPlace> called = new ConcurrentHashMap<>();

  Receivers(NearestFrames frames) {
    this.frames = frames;
  }

  /**
   * A handler's method for messages that come in, or that go out.
   *
   * @param before what had the flow last; null where that is not known
   */
  CallPlace handler(Class<?> handler, boolean isWritten, @Nullable CallPlace before) {
    CallPlace place = handler(handler, isWritten);
    Site at = place.nearest();
    if (before == null || before.nearest().equals(at)) {
      return before == null ? place : before;
    }
    List<Site> key = List.of(at, before.nearest());
    CallPlace known = inTurn.get(key);
    return known != null
        ? known
        : keep(inTurn, key, new CallPlace(place.own, place.library, List.of(before.nearest())));
  }

  private CallPlace handler(Class<?> handler, boolean isWritten) {
    Map<String, CallPlace> places = isWritten ? writers : readers;
    String name = handler.getName();
    CallPlace known = places.get(name);
    if (known != null) {
      return known;
    }
    Site site = new Site(name, isWritten ? writing(handler) : reading(handler), "", 0, "");
    return keep(
        places,
        name,
        frames.isOwn(name)
            ? new CallPlace(site, List.of(), List.of())
            : new CallPlace(null, List.of(site), List.of()));
  }

  /** A library's method that the application calls. */
  CallPlace called(int callSite, int callee) {
    Long key = (long) callSite << 32 | callee;
    CallPlace known = called.get(key);
    return known != null
        ? known
        : keep(
            called,
            key,
            new CallPlace(null, List.of(Sites.get(callee)), List.of(Sites.get(callSite))));
  }

  /** The type of a message: see {@link #nameOf}. */
  CallPlace message(Class<?> message) {
    String name = message.getName();
    CallPlace known = messages.get(name);
    if (known != null) {
      return known;
    }
    Site type = new Site(nameOf(message), "", "", 0, "");
    return keep(messages, name, new CallPlace(null, List.of(type), List.of()));
  }

  /**
   * The interface that a class is named after, as {@code DefaultFullHttpRequest} is after {@code
   * FullHttpRequest}; else the class.
   */
  private static String nameOf(Class<?> message) {
    String most = "";
    for (Class<?> c = message; c != null; c = c.getSuperclass()) {
      most = named(message.getName(), c, most);
    }
    return most.isEmpty() ? message.getName() : most;
  }

  private static String named(String message, Class<?> type, String most) {
    String longest = most;
    for (Class<?> each : type.getInterfaces()) {
      String name = each.getName();
      if (message.endsWith(simple(name)) && simple(name).length() > simple(longest).length()) {
        longest = name;
      }
      longest = named(message, each, longest);
    }
    return longest;
  }

  private static String simple(String name) {
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  private static <K> CallPlace keep(Map<K, CallPlace> places, K key, CallPlace made) {
    if (places.size() >= MAX) {
      places.clear();
    }
    CallPlace other = places.putIfAbsent(key, made);
    return other != null ? other : made;
  }

  /** The method that subclasses of one of Netty's adapters override. */
  private static String reading(Class<?> handler) {
    for (Class<?> c = handler; c != null; c = c.getSuperclass()) {
      String name = c.getName();
      if (name.endsWith(".SimpleChannelInboundHandler")) {
        return "channelRead0";
      }
      if (name.endsWith(".ByteToMessageDecoder")
          || name.endsWith(".MessageToMessageDecoder")
          || isCodec(name)) {
        return "decode";
      }
    }
    return "channelRead";
  }

  private static String writing(Class<?> handler) {
    for (Class<?> c = handler; c != null; c = c.getSuperclass()) {
      String name = c.getName();
      if (name.endsWith(".MessageToByteEncoder")
          || name.endsWith(".MessageToMessageEncoder")
          || isCodec(name)) {
        return "encode";
      }
    }
    return "write";
  }

  private static boolean isCodec(String name) {
    return name.endsWith(".ByteToMessageCodec") || name.endsWith(".MessageToMessageCodec");
  }
}
