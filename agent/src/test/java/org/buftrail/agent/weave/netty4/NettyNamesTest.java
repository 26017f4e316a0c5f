package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.buftrail.agent.weave.WeavingLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Packages that are Netty's by their name, and those that are by their content. */
final class NettyNamesTest {
  @Test
  void onlyNettyIsNetty() {
    assertThat(Arrays.asList("io/netty/", "org/flink/shaded/netty4/io/netty/"))
        .allSatisfy(
            root -> {
              assertThat(NettyNames.isNetty(root + "util/Recycler")).isTrue();
              assertThat(NettyNames.isBuffer(root + "buffer/CompositeByteBuf")).isTrue();
              assertThat(NettyNames.isContext(root + "channel/ChannelHandlerContext")).isTrue();
            });
    assertThat(Arrays.asList("com/acme/netty/", "reactor/netty/", "xio/netty/", "org/jboss/netty/"))
        .noneMatch(root -> NettyNames.isNetty(root + "util/Recycler"))
        .noneMatch(root -> NettyNames.isInBufferPackage(root + "buffer/ByteBuf"))
        .noneMatch(root -> NettyNames.isContext(root + "channel/ChannelHandlerContext"));
    assertThat(NettyNames.isInBufferPackage("io/netty/buffer/search/SearchProcessor")).isFalse();
    assertThat(NettyNames.isInBufferPackage("io/netty/util/Recycler")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/util/ReferenceCounted",
        "io/netty/handler/codec/DecoderResultProvider",
        "io/netty/handler/codec/dns/DnsRecord",
        "io/netty/handler/codec/http2/Http2Frame",
        "io/netty/handler/codec/mqtt/MqttMessage",
        "io/netty/handler/codec/redis/RedisMessage",
        "io/netty/handler/codec/spdy/SpdyFrame"
      })
  void someValuesOfWiderTypesHoldABuffer(String type) {
    assertThat(NettyNames.mayHold(type)).isTrue();
    assertThat(NettyNames.mayHold(type.replace("io/netty/", "com/acme/"))).isFalse();
  }

  /** Whether it is woven as it loads or was loaded before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPackageThatEndsAsNettysWithoutABufferIsTheApplications(boolean loaded) throws Exception {
    String shaded = "com/shading" + loaded + "/io/netty/";
    String own = "com/acme" + loaded + "/io/netty/";
    WeavingLoader loader = new WeavingLoader(null);
    loader.give(
        (shaded + "buffer/ByteBuf").replace('/', '.'),
        type(shaded + "buffer/ByteBuf", shaded + "util/ReferenceCounted"));
    Netty4 netty = new Netty4();
    for (String root : List.of(shaded, own)) {
      String name = root + "handler/Orders";
      byte[] file = contract(name);
      loader.give(name.replace('/', '.'), file);
      if (loaded) {
        netty.recognise(loader.loadClass(name.replace('/', '.')));
      } else {
        WeavingLoader.weaver("nothing.here", new ArrayList<>())
            .transform(loader.getUnnamedModule(), loader, name, null, null, file);
      }
    }
    assertThat(netty.isOwn(own + "handler/Orders")).isFalse();
    assertThat(netty.isOwn(shaded + "handler/Orders")).isTrue();
    assertThat(NettyNames.isBuffer(shaded + "buffer/ByteBuf")).isTrue();
  }

  /** Where several loaders see a package of one name, one of them is enough. */
  @Test
  void anotherLoaderMayHaveTheNettyOfAPackage() throws Exception {
    String root = "com/split/io/netty/";
    Relocations relocations = new Relocations();
    WeavingLoader other = new WeavingLoader(null);
    relocations.lookAtPackage(other, root + "util/Any");
    assertThat(NettyNames.isNetty(root + "util/Any")).as("no class files").isTrue();
    other.give((root + "util/Any").replace('/', '.'), contract(root + "util/Any"));
    relocations.lookAtPackage(other, root + "util/Any");
    assertThat(NettyNames.isNetty(root + "util/Any")).isFalse();
    WeavingLoader loader = new WeavingLoader(null);
    loader.give(
        (root + "buffer/ByteBuf").replace('/', '.'),
        type(root + "buffer/ByteBuf", root + "util/ReferenceCounted"));
    relocations.lookAtPackage(loader, root + "util/Any");
    assertThat(NettyNames.isNetty(root + "util/Any")).isTrue();
  }

  @Test
  void aNameOfNettysAloneMakesNothingNettys() {
    String counting = "AbstractReferenceCountedByteBuf";
    assertThat(NettyNames.isCountingBuffer("io/netty/buffer/" + counting)).isTrue();
    assertThat(NettyNames.isCountingBuffer("io/netty/buffer/Own" + counting)).isFalse();
    assertThat(NettyNames.isCountingBuffer("io/netty/buffer/ByteBuf")).isFalse();
    assertThat(NettyNames.isCountingBuffer("com/example/" + counting)).isFalse();
    assertThat(NettyNames.isAllocator("com/example/ByteBufAllocator")).isFalse();
    assertThat(NettyNames.isHolder("com/example/ByteBufHolder")).isFalse();
    assertThat(NettyNames.isBuffer("com/example/ByteBuf")).isFalse();
  }

  @Test
  void aPackageWithANettyOfItsOwnNameIsFound() throws Exception {
    String shaded = "com/shading/netty/";
    String own = "com/acme/netty/";
    WeavingLoader loader = new WeavingLoader(null);
    for (String root : List.of(shaded, own)) {
      String counted = root.equals(shaded) ? root + "util/ReferenceCounted" : "java/lang/Runnable";
      loader.give(
          (root + "buffer/ByteBuf").replace('/', '.'), type(root + "buffer/ByteBuf", counted));
      Relocations relocations = new Relocations();
      relocations.look(loader, type("com/example/Any", root + "buffer/ByteBuf"));
    }
    assertThat(NettyNames.isBuffer(shaded + "buffer/ByteBuf")).isTrue();
    assertThat(NettyNames.isBuffer(own + "buffer/ByteBuf")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"(JLNAME;)V", "(Ljava/lang/String;II[LNAME;)V", "()[[LNAME;", "LNAME;"})
  void aPackageIsFoundByADescriptorToo(String descriptor) throws Exception {
    // A package of its own for each, since what was found is known for good.
    String root = "com/described/p" + (descriptor.hashCode() & 0xffff) + "/netty/";
    WeavingLoader loader = new WeavingLoader(null);
    loader.give(
        (root + "buffer/ByteBuf").replace('/', '.'),
        type(root + "buffer/ByteBuf", root + "util/ReferenceCounted"));
    ClassWriter user = new ClassWriter(0);
    user.visit(
        Opcodes.V11, Opcodes.ACC_PUBLIC, "com/described/User", null, "java/lang/Object", null);
    user.newNameType("it", descriptor.replace("NAME", root + "buffer/ByteBuf"));
    user.visitEnd();
    new Relocations().look(loader, user.toByteArray());
    assertThat(NettyNames.isBuffer(root + "buffer/ByteBuf")).isTrue();
  }

  /** As an attach finds it, under a name that was never reported. */
  @Test
  void aLoadedBufferMakesItsPackageNettysIfItCountsAsNettysDo() throws Exception {
    Netty4 netty = new Netty4();
    for (String root : List.of("com/loaded/netty/", "com/loaded/own/netty/")) {
      WeavingLoader loader = new WeavingLoader(null);
      String counted =
          root.contains("own") ? root + "util/Counted" : root + "util/ReferenceCounted";
      loader.give(counted.replace('/', '.'), contract(counted));
      String buffer = root + "buffer/ByteBuf";
      loader.give(buffer.replace('/', '.'), type(buffer, counted));
      netty.recognise(loader.loadClass(buffer.replace('/', '.')));
      assertThat(NettyNames.isBuffer(buffer)).isEqualTo(!root.contains("own"));
      netty.recognise(loader.loadClass(counted.replace('/', '.')));
      assertThat(NettyNames.isNetty(counted)).isEqualTo(!root.contains("own"));
    }
  }

  /** Before it is woven itself, so that its hops are found. */
  @Test
  void whoNamesABufferAsItLoadsHasItsPackageLookedAt() {
    String root = "com/named/netty/";
    WeavingLoader loader = new WeavingLoader(null);
    loader.give(
        (root + "buffer/ByteBuf").replace('/', '.'),
        type(root + "buffer/ByteBuf", root + "util/ReferenceCounted"));
    List<String> log = new ArrayList<>();
    byte[] user = type("com/example/User", root + "buffer/ByteBuf");
    WeavingLoader.weaver("nothing.here", log)
        .transform(loader.getUnnamedModule(), loader, "com/example/User", null, null, user);
    assertThat(NettyNames.isBuffer(root + "buffer/ByteBuf")).isTrue();
    assertThat(log).isEmpty();
  }

  private static byte[] contract(String name) {
    ClassWriter made = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE;
    made.visit(Opcodes.V11, access, name, null, "java/lang/Object", null);
    made.visitEnd();
    return made.toByteArray();
  }

  private static byte[] type(String name, String implemented) {
    ClassWriter made = new ClassWriter(0);
    made.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT,
        name,
        null,
        "java/lang/Object",
        new String[] {implemented});
    made.visitEnd();
    return made.toByteArray();
  }
}
