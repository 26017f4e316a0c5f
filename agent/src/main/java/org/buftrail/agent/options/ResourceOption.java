package org.buftrail.agent.options;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.flow.woven.Resources;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;

/**
 * A type of resource and what opens and closes it: {@code
 * java.sql.Connection:open=java.sql.DriverManager.getConnection,close=close}.
 *
 * <p>A member is {@code new}, the name of a method of the type, or {@code Class.method} of another
 * class; with or without the types of its parameters in parentheses. With {@code once=true}, a
 * second close is an error. With {@code count=METHOD}, the last close is the end: the method says
 * how many holders are left. {@code bytes=METHOD} says how large an object is. Immutable.
 */
public final class ResourceOption {
  private static final String NAME = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
  private static final Pattern TYPE = Pattern.compile(NAME + "(\\." + NAME + ")*");
  private static final Pattern MEMBER =
      Pattern.compile(
          "(?:(" + NAME + "(?:\\." + NAME + ")*)\\.)?(" + NAME + "|<init>)(?:\\(([^()]*)\\))?");
  private static final Pattern ARRAY = Pattern.compile("(.*?)((?:\\[\\])*)");
  private static final Pattern METHOD = Pattern.compile(NAME);
  private static final List<String> PRIMITIVES =
      List.of("boolean", "byte", "char", "short", "int", "long", "float", "double");
  private static final String[] KEYS = {"open", "close", "once", "count", "bytes"};
  private static final String EXAMPLE =
      "write TYPE:open=...,close=... such as java.io.FileInputStream:open=new,close=close";

  private final String name;
  private final String type;
  private final List<ResourceRule.Member> open = new ArrayList<>();
  private final List<ResourceRule.Member> close = new ArrayList<>();
  private final @Nullable TrackedResource spi;
  private boolean once;
  private @Nullable String count;
  private @Nullable String bytes;

  private ResourceOption(String name, String type, @Nullable TrackedResource spi) {
    if (!TYPE.matcher(type).matches()) {
      throw new IllegalArgumentException("'" + type + "' is not a class name; " + EXAMPLE);
    }
    this.name = name;
    this.type = type;
    this.spi = spi;
  }

  /**
   * Reads an option.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static ResourceOption parse(String text) {
    int colon = text.indexOf(':');
    String type = (colon < 0 ? text : text.substring(0, colon)).trim();
    ResourceOption option = new ResourceOption(type, type, null);
    for (String part :
        colon < 0 ? new String[0] : text.substring(colon + 1).split(",(?![^(]*\\))")) {
      int equals = part.indexOf('=');
      String key = (equals < 0 ? part : part.substring(0, equals)).trim();
      option.add(key, equals < 0 ? "" : part.substring(equals + 1).trim());
    }
    return option.checked();
  }

  /**
   * Reads what the application says of a type.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static ResourceOption of(TrackedResource spi) {
    ResourceOption option = new ResourceOption(spi.name(), spi.type(), spi);
    spi.open().forEach(member -> option.add("open", member));
    spi.close().forEach(member -> option.add("close", member));
    option.once = spi.isClosedOnce();
    return option.checked();
  }

  private void add(String key, String value) {
    switch (key) {
      case "open":
        open.add(member(value));
        break;
      case "close":
        close.add(member(value));
        break;
      case "once":
        if (!value.equals("true") && !value.equals("false")) {
          throw new IllegalArgumentException("once is '" + value + "': it must be true or false");
        }
        once = value.equals("true");
        break;
      case "count":
        count = method(key, value);
        break;
      case "bytes":
        bytes = method(key, value);
        break;
      default:
        throw new IllegalArgumentException(
            "unknown part '" + key + "' (did you mean '" + Spelling.nearest(key, KEYS) + "'?)");
    }
  }

  private ResourceOption checked() {
    if (open.isEmpty() || close.isEmpty()) {
      String missing = open.isEmpty() ? "open" : "close";
      throw new IllegalArgumentException(type + " has no " + missing + "=; " + EXAMPLE);
    }
    if (count != null) {
      if (once) {
        throw new IllegalArgumentException(
            "count="
                + count
                + " and once=true exclude each other: what is counted is closed often");
      }
      for (ResourceRule.Member member : close) {
        if (!member.isOf(type.replace('.', '/'))) {
          throw new IllegalArgumentException(
              "with count=" + count + ", each close= must be a method of " + type + " itself");
        }
      }
    }
    return this;
  }

  private static String method(String key, String name) {
    if (!METHOD.matcher(name).matches()) {
      throw new IllegalArgumentException(
          key + "=" + name + ": it must be the name of a method without parameters");
    }
    return name;
  }

  private ResourceRule.Member member(String text) {
    Matcher m = MEMBER.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a member such as new, close or com.example.Pool.take(int)");
    }
    String owner = m.group(1) == null ? type : m.group(1);
    String member = m.group(2).equals("new") ? ResourceRule.CONSTRUCTOR : m.group(2);
    String parameters = m.group(3);
    return new ResourceRule.Member(
        owner.replace('.', '/'), member, parameters == null ? null : descriptors(parameters));
  }

  /** {@code Ljava/lang/String;[I} for {@code java.lang.String, int[]}. */
  private static String descriptors(String parameters) {
    StringBuilder descriptors = new StringBuilder();
    for (String parameter : parameters.isBlank() ? new String[0] : parameters.split(",", -1)) {
      Matcher m = ARRAY.matcher(parameter.trim());
      if (!m.matches() || !TYPE.matcher(m.group(1)).matches()) {
        throw new IllegalArgumentException("'" + parameter.trim() + "' is not a parameter's type");
      }
      descriptors.append("[".repeat(m.group(2).length() / 2)).append(descriptor(m.group(1)));
    }
    return descriptors.toString();
  }

  private static String descriptor(String type) {
    int primitive = PRIMITIVES.indexOf(type);
    return primitive < 0 ? "L" + type.replace('.', '/') + ";" : "" + "ZBCSIJFD".charAt(primitive);
  }

  /** The class or interface. */
  String type() {
    return type;
  }

  /** How paths call it. */
  public String name() {
    return name;
  }

  /** Makes it known to the runtime. */
  public ResourceRule register() {
    int id =
        spi == null
            ? Resources.register(name, type, once, count, bytes)
            : Resources.register(name, type, once, spi);
    return new ResourceRule(id, type.replace('.', '/'), open, close, count != null);
  }
}
