package org.buftrail.agent.weave.netty4;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;

/**
 * Classes of frameworks that wrap a buffer before an application sees it, and the types by which it
 * sees them. Known by name, wherever the framework has been relocated to; options name others.
 * Thread-safe.
 */
final class FrameworkHolders {
  /** The type declared for a holder that keeps its buffer as the first element of a queue. */
  static final String QUEUE = "Ljava/util/Deque;";

  private static final int MAX_WRAPPERS = 20_000;

  private static final String SPRING = "org/springframework/core/io/buffer/";
  private static final String ARMERIA = "com/linecorp/armeria/";
  private static final String GRPC = "io/grpc/";

  /** Classes that applications see themselves. */
  private static final String SPRING_MESSAGE =
      "org/springframework/web/reactive/socket/WebSocketMessage";

  private static final String MOQUETTE_MESSAGE =
      "io/moquette/interception/messages/InterceptPublishMessage";
  private static final String NETTY_STREAM = "io/netty/buffer/ByteBufInputStream";

  /** The field that has the buffer or the next holder, by class. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry(SPRING + "NettyDataBuffer", "byteBuf"),
          Map.entry(SPRING_MESSAGE, "payload"),
          Map.entry(ARMERIA + "common/AbstractAggregatedHttpMessage", "content"),
          Map.entry(ARMERIA + "common/ByteBufHttpData$EndOfStreamByteBufHttpData", "delegate"),
          Map.entry(ARMERIA + "internal/common/ByteBufBytes", "buf"),
          Map.entry("io/vertx/core/buffer/impl/BufferImpl", "buffer"),
          Map.entry("io/micronaut/buffer/netty/NettyByteBuffer", "delegate"),
          Map.entry(GRPC + "internal/ReadableBuffers$BufferInputStream", "buffer"),
          Map.entry(GRPC + "internal/CompositeReadableBuffer", "readableBuffers"),
          Map.entry(GRPC + "netty/NettyReadableBuffer", "buffer"),
          Map.entry("io/rsocket/util/ByteBufPayload", "data"),
          Map.entry(MOQUETTE_MESSAGE, "msg"),
          Map.entry(NETTY_STREAM, "buffer"));

  private static final Set<String> TYPES =
      Set.of(
          SPRING + "DataBuffer",
          ARMERIA + "common/Bytes",
          ARMERIA + "common/HttpData",
          ARMERIA + "common/AggregatedHttpMessage",
          "io/vertx/core/buffer/Buffer",
          "io/micronaut/core/io/buffer/ByteBuffer",
          GRPC + "Detachable",
          GRPC + "HasByteBuffer",
          GRPC + "internal/ReadableBuffer",
          SPRING_MESSAGE,
          "io/rsocket/Payload",
          MOQUETTE_MESSAGE,
          NETTY_STREAM);

  /** Where the frameworks' own names begin in one that was relocated. */
  private static final String[] ROOTS = {
    "org/springframework/", ARMERIA, "io/vertx/", "io/rsocket/", "io/netty/buffer/", GRPC
  };

  private static final Set<String> SIMPLE_NAMES =
      Stream.concat(FIELDS.keySet().stream(), TYPES.stream())
          .map(Names::simple)
          .collect(Collectors.toUnmodifiableSet());

  /** The holders that the present attachment names: the field by the class. */
  private static volatile Map<String, String> named = Map.of();

  /** What wrappers of the application were seen to have, the field by the class. */
  private static final Map<String, String> WRAPPERS = new ConcurrentHashMap<>();

  private static final String NOT_LOADED = "no class of this name was loaded";

  /** Why nothing is followed from a field that the present attachment names, by the class. */
  private static final Map<String, String> UNMET = new ConcurrentHashMap<>();

  private FrameworkHolders() {}

  static void setNamed(Map<String, String> fields) {
    named = Map.copyOf(fields);
    UNMET.clear();
    WRAPPERS.clear();
    for (String each : fields.keySet()) {
      UNMET.put(each, NOT_LOADED);
    }
  }

  /** Notes the field of a class of the application that wraps a buffer, before the class loads. */
  static void noteWrapper(String internalName, String field) {
    if (WRAPPERS.size() < MAX_WRAPPERS) {
      WRAPPERS.putIfAbsent(internalName, field);
    }
  }

  /** Notes a class that loaded before the agent, whose fields are not looked at. */
  static void noteLoaded(String internalName) {
    UNMET.remove(internalName, NOT_LOADED);
  }

  /** Notes that a class has loaded: what is wrong with its field, or null where nothing is. */
  static void note(String internalName, @Nullable String fault) {
    if (named.containsKey(internalName)) {
      if (fault == null) {
        UNMET.remove(internalName);
      } else {
        UNMET.put(internalName, fault);
      }
    }
  }

  /** One line for each field that is named and from which nothing is followed, sorted. */
  static List<String> unmet() {
    List<String> lines = new ArrayList<>();
    Map<String, String> fields = named;
    for (Map.Entry<String, String> each : new TreeMap<>(UNMET).entrySet()) {
      lines.add(
          "carrier "
              + Names.binary(each.getKey())
              + '.'
              + fields.get(each.getKey())
              + ": "
              + each.getValue());
    }
    return lines;
  }

  /** The field of a class that has the buffer, or null where it is none of these. */
  static @Nullable String field(String internalName) {
    String field = named.get(internalName);
    if (field != null) {
      return field;
    }
    String wrapped = WRAPPERS.get(internalName);
    if (wrapped != null) {
      return wrapped;
    }
    String known = unrelocated(internalName);
    return known == null ? null : FIELDS.get(known);
  }

  /** Whether an application sees buffers by this type. */
  static boolean isType(String internalName) {
    String known = unrelocated(internalName);
    return (known != null && TYPES.contains(known)) || named.containsKey(internalName);
  }

  /** The name in its own place; null for most that are none of these. */
  private static @Nullable String unrelocated(String internalName) {
    if (!SIMPLE_NAMES.contains(Names.simple(internalName))) {
      return null;
    }
    for (String root : ROOTS) {
      int at = internalName.lastIndexOf(root);
      if (at > 0 && internalName.charAt(at - 1) == '/') {
        return internalName.substring(at);
      }
    }
    return internalName;
  }
}
