package org.buftrail.agent.weave;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * What woven code tells the runtime, beside what it should have told: {@link Shapes} makes classes
 * that say so themselves. Also where those classes get their values and decisions from.
 *
 * <p>One for all loaders, since they ask their parent for it. Not thread-safe.
 */
public final class Ledger {
  /** What classes of {@link Shapes} throw of themselves. */
  public static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1;

    Thrown(String message) {
      super(message);
    }
  }

  /** Whose number is that of a type of resource, or of a kind. */
  private static final Set<String> OF_NO_SITE =
      Set.of(
          "Resources.opened",
          "Resources.closed",
          "Buffers.allocated",
          "Buffers.returnedByAllocator",
          "Buffers.misused");

  private static final List<String> TOLD = new ArrayList<>();
  private static final List<String> EXPECTED = new ArrayList<>();
  private static final List<String> DONE = new ArrayList<>();
  private static final Map<Integer, String> SITES = new HashMap<>();
  private static final IdentityHashMap<Object, String> NUMBERS = new IdentityHashMap<>();
  private static Random choices = new Random(0);

  private Ledger() {}

  /** Begins anew: the same seed gives the same values and decisions. */
  public static void open(long seed) {
    TOLD.clear();
    EXPECTED.clear();
    DONE.clear();
    NUMBERS.clear();
    choices = new Random(seed);
  }

  public static List<String> told() {
    return List.copyOf(TOLD);
  }

  static List<String> expected() {
    return List.copyOf(EXPECTED);
  }

  /** Everything else that was done, in its order. */
  static List<String> done() {
    return List.copyOf(DONE);
  }

  /** The number by which woven code calls a site. */
  static int site(Site site, String descriptor) {
    int id = Sites.intern(site);
    SITES.put(id, site + descriptor);
    return id;
  }

  /** Called by the stand-in of a class of the runtime. */
  public static void told(String method, Object... arguments) {
    boolean ofSite = !OF_NO_SITE.contains(method);
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      boolean isSite = ofSite && argument instanceof Integer;
      texts.add(isSite ? siteOf((int) argument) : text(argument));
    }
    TOLD.add(method + ' ' + String.join(" ", texts));
  }

  private static String siteOf(int number) {
    String site = SITES.get(number);
    return site == null ? String.valueOf(number) : site;
  }

  /** Called by classes of {@link Shapes} where woven code is to tell the same. */
  public static void expect(@Nullable Object subject, String method, int site) {
    EXPECTED.add(method + ' ' + text(subject) + ' ' + siteOf(site));
  }

  /** The same object has the same name, and no other has it. */
  static String text(@Nullable Object object) {
    if (object == null || object instanceof Boolean || object instanceof Integer) {
      return String.valueOf(object);
    }
    return NUMBERS.computeIfAbsent(
        object, o -> o.getClass().getSimpleName() + '#' + NUMBERS.size());
  }

  /** A step of a class of {@link Shapes}. */
  public static void note(int step) {
    DONE.add("step " + step);
  }

  /** A step that depends on a value. */
  public static void note(long value) {
    DONE.add("value " + value);
  }

  /** A decision: from 0 to {@code bound - 1}. */
  public static int choose(int bound) {
    return choices.nextInt(bound);
  }

  /** Throws one time in three. */
  public static void mayThrow() {
    if (choose(3) == 0) {
      throw new Thrown("thrown " + DONE.size());
    }
  }

  /** A buffer, made by somebody else. */
  public static @Nullable ByteBuf ask() {
    return choose(5) == 0 ? null : Unpooled.buffer(8).writeZero(8);
  }

  /** A composite, made by somebody else. */
  public static CompositeByteBuf askComposite() {
    return Unpooled.compositeBuffer();
  }

  /** Two buffers. */
  public static ByteBuf[] askSeveral() {
    return new ByteBuf[] {Unpooled.buffer(8), Unpooled.EMPTY_BUFFER};
  }

  /** A resource, made by somebody else. */
  public static StringReader askResource() {
    return new StringReader("asked");
  }

  /** A value of the kind with this name, sometimes null, as a return type that says nothing. */
  public static @Nullable Object value(String kind) {
    return value(Shapes.Kind.valueOf(kind));
  }

  static @Nullable Object value(Shapes.Kind kind) {
    return switch (kind) {
      case BOOLEAN -> choose(2) == 0;
      case BYTE -> (byte) choose(256);
      case SHORT -> (short) choose(1 << 16);
      case CHAR -> (char) choose(1 << 16);
      case INT -> choices.nextInt();
      case LONG -> choices.nextLong();
      case FLOAT -> choices.nextFloat();
      case DOUBLE -> choices.nextDouble();
      case INTS -> new int[] {choose(9)};
      case MATRIX -> new long[2][3];
      default -> choose(8) == 0 ? null : object(kind);
    };
  }

  private static Object object(Shapes.Kind kind) {
    return switch (kind) {
      case TEXT -> "text" + choose(100);
      case LIST -> Arrays.asList(1, 2);
      case BUFFERS -> askSeveral();
      case COMPOSITE -> Unpooled.compositeBuffer();
      case HOLDER, MESSAGE -> new DefaultByteBufHolder(Unpooled.buffer(8));
      case REQUEST -> new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/");
      case CHANNEL -> new EmbeddedChannel();
      case CONTEXT -> new EmbeddedChannel().pipeline().firstContext();
      case RESOURCE -> new StringReader("given");
      default -> Unpooled.buffer(8);
    };
  }
}
